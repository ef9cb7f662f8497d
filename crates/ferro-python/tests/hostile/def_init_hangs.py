# expect: error
# about: __init__ never returns.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def __init__(self, *args, **kwargs):
        while True:
            pass

    def attack(self) -> str:
        return "LE" "AK: got past it"
