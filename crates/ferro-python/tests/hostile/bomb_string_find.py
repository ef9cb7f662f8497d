# expect: error
# about: Quadratic searches in long texts.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import time
        end = time.monotonic() + 60
        a, b = "a" * 2_000_000, "a" * 1_000_000 + "b"
        while time.monotonic() < end:
            a.find(b)
            a.replace("a", "aa").count("ab" * 1000)
