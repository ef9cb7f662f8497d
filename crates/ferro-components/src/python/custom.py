from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema import Message


class CustomComponent(Component):
    display_name = "Custom Component"
    description = "A component of your own, written in Python."
    icon = "square-code"
    name = "CustomComponent"

    inputs = [
        MessageTextInput(
            name="input_value",
            display_name="Input",
            info="The text to count the words of.",
            value="Hello from Python",
            tool_mode=True,
        ),
    ]

    outputs = [
        Output(name="output", display_name="Output", method="count_words"),
    ]

    def count_words(self) -> Message:
        words = len(self.input_value.split())
        self.status = f"{words} words"
        return Message(text=f"{self.input_value} ({words} words)")
