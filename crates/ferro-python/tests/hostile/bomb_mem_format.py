# expect: error
# about: A width in a format spec makes a huge text.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        s = f"{1:>{2 << 30}}"
        return "LE" f"AK: {len(s)}"
