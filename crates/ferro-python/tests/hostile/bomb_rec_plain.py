# expect: error
# about: Plain endless recursion.
# match: (?i)recursion
# seconds: 10
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        def f():
            return f()
        return f()
