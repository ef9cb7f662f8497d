# expect: error
# about: A regular expression that backtracks for ever.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import re
        re.match(r"(a+)+$", "a" * 64 + "b")
        return "held"
