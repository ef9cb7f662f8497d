# expect: error
# about: A power with a hundred million digits.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        n = 7 ** (10 ** 8)
        n = n * n % (n - 1) ** 3
        return "held"
