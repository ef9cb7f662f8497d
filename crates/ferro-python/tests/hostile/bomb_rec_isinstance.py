# expect: error
# about: isinstance with tuples nested very deeply.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        t = (int,)
        for _ in range(200_000):
            t = (t,)
        return str(isinstance("", t))
