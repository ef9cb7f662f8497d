# expect: error
# about: Returns a value nested a thousand deep.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        a = {}
        for _ in range(1000):
            a = {"k": a}
        return a
