from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema import Data


class UpperComponent(Component):
    display_name = "Upper"
    description = "Turns a text into capitals."
    documentation: str = "https://docs.example.com/upper"
    icon = "type"
    name = "UpperComponent"

    inputs = [
        MessageTextInput(
            name="input_value",
            display_name="Input Value",
            info="The text to change",
            value="Hello, World!",
            tool_mode=True,
        ),
    ]

    outputs = [
        Output(display_name="Output", name="output", method="build_output"),
    ]

    def build_output(self) -> Data:
        data = Data(value=self.input_value.upper())
        self.status = data
        return data
