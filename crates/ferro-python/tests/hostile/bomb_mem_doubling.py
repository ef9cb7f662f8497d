# expect: error
# about: A list that doubles itself.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        a = [0]
        while len(a) < 400 << 20:
            a += a
        return "LE" f"AK: {len(a)}"
