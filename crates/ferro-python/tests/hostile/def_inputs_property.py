# expect: error
# about: inputs and outputs are properties that change each time they are read.
from lfx.custom import Component
from lfx.io import MessageTextInput, Output


class Hostile(Component):
    n = 0

    @property
    def inputs(self):
        Hostile.n += 1
        return [MessageTextInput(name=f"f{i}", display_name="F") for i in range(Hostile.n * 1000)]

    @property
    def outputs(self):
        return [Output(name=f"o{Hostile.n}", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "held"
