# expect: error
# about: One call into the interpreter that takes hours.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        return str(sum(range(10 ** 13)))
