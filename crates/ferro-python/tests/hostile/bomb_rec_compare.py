# expect: error
# about: Compares two deeply nested lists.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        a, b = [], []
        for _ in range(200_000):
            a, b = [a], [b]
        return str(a == b)
