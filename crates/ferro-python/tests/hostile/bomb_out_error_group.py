# expect: error
# about: Raises a group of errors nested deeply.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        g = ValueError("x")
        for _ in range(5000):
            g = ExceptionGroup("g", [g])
        raise g
