# expect: error
# about: A sort whose key function never returns.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import itertools
        return sorted([1, 2], key=lambda x: sum(itertools.repeat(1)))
