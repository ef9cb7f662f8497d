# expect: error
# about: A decorator never returns.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


def forever(cls):
    while True:
        pass


@forever
class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" "AK: got past it"
