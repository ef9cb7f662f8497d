# expect: error
# about: Brings the interpreter down by endless C recursion.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import sys
        sys.setrecursionlimit(1 << 30)
        x = []
        for _ in range(10_000_000):
            x = [x]
        repr(x)
        raise RuntimeError("still alive")
