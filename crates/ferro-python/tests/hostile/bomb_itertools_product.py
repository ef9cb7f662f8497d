# expect: error
# about: Counts a product that has no end in this life.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import itertools
        import collections
        collections.deque(itertools.product(range(100), repeat=20), maxlen=0)
