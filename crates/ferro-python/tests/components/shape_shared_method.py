from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema import Data


class SharedMethod(Component):
    """Two outputs come from one method, which runs once."""

    display_name = "Shared Method"
    calls = 0

    inputs = [MessageTextInput(name="text", display_name="Text", value="x")]
    outputs = [
        Output(name="first", display_name="First", method="compute"),
        Output(name="second", display_name="Second", method="compute"),
        Output(name="count", display_name="Count", method="count"),
    ]

    def compute(self) -> Data:
        self.calls += 1
        return Data(data={"text": self.text, "call": self.calls})

    def count(self) -> Data:
        return Data(data={"calls": self.calls})
