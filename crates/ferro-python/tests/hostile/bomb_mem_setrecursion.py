# expect: error
# about: Recursion with the interpreter's guard turned off.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import sys
        sys.setrecursionlimit(10 ** 8)
        def f(n):
            return f(n + 1) + 1 if n < 10 ** 7 else 0
        return "LE" f"AK: {f(0)}"
