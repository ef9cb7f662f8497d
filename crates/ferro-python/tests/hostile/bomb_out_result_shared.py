# expect: error
# about: Returns a small value whose parts are shared so often that its JSON has no end.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        a = ["x"]
        for _ in range(40):
            a = [a, a]
        return a
