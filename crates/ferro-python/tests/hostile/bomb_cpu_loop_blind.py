# expect: error
# about: Loops without ever looking at the clock.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        n = 0
        while n >= 0:
            n += 1
