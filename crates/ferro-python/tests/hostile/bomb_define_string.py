# expect: error
# about: A default value of two gigabytes, made while the class is defined.
# seconds: 2
from lfx.custom import Component
from lfx.io import MessageTextInput, Output


class Hostile(Component):
    inputs = [MessageTextInput(name="text", display_name="Text", value="x" * (2 << 30))]
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" f"AK: {len(self.text)}"
