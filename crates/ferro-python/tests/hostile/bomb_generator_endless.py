# expect: error
# about: The output is a generator without end.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        n = 0
        while True:
            n += 1
            yield n
