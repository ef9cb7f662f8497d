# expect: contained
# about: The list of inputs is computed by code.
# returns: "held"
from lfx.custom import Component
from lfx.io import MessageTextInput, Output


def read():
    try:
        import io

        return "LE" "AK: " + io.open("@SECRET@").read()
    except BaseException:
        return "held"


class Hostile(Component):
    inputs = [MessageTextInput(name="text", display_name="Text", value=read(), info=read())]
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return self.text
