# expect: refused
# about: eval in the default value of an input.
# returns: "held"
from lfx.custom import Component
from lfx.io import MessageTextInput, Output


class Hostile(Component):
    inputs = [MessageTextInput(name="text", display_name="Text", value=eval("1 + 1"))]
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "held"
