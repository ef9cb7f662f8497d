# expect: error
# about: Raises KeyboardInterrupt, which servers take for Ctrl-C.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        raise KeyboardInterrupt
