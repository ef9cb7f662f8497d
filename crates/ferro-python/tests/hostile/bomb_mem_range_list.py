# expect: error
# about: list() of a very long range.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        a = list(range(60_000_000))
        return "LE" f"AK: {len(a)}"
