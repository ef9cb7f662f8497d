# expect: error
# about: A second shape of exponential backtracking, in sub.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import re
        re.sub(r"(x+x+)+y", "", "x" * 200)
        re.search(r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 200)
        re.search(r"(.*)*(.*)*(.*)*=", "x" * 5000)
        return "held"
