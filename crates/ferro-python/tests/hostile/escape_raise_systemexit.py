# expect: error
# about: Raises SystemExit, which is no Exception.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        raise SystemExit(0)
