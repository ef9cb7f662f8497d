# expect: error
# about: One string of two gigabytes.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        s = "x" * (2 << 30)
        return "LE" f"AK: {len(s)}"
