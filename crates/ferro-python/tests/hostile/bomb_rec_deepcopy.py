# expect: error
# about: copy.deepcopy of a deeply nested list.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import copy
        a = []
        for _ in range(100_000):
            a = [a]
        return str(len(copy.deepcopy(a)))
