# expect: error
# about: Loops for a minute.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import time
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
        return "LE" "AK: ran for a minute"
