# expect: error
# about: replace makes a text grow by the square of its parts.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        s = ("a" * 40_000).replace("a", "b" * 60_000)
        return "LE" f"AK: {len(s)}"
