# expect: error
# about: A hundred thousand inputs.
# seconds: 2
from lfx.custom import Component
from lfx.io import MessageTextInput, Output


class Hostile(Component):
    inputs = [MessageTextInput(name=f"field_{i}", display_name="F" * 1000) for i in range(100_000)]
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" "AK: all were taken"
