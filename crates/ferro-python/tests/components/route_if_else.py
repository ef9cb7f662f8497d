import re

from langflow.custom import Component
from langflow.io import BoolInput, DropdownInput, MessageInput, MessageTextInput, Output
from langflow.schema.message import Message


class ConditionalRouter(Component):
    display_name = "If-Else"
    description = "Routes an input message to a corresponding output based on text comparison."
    icon = "split"
    name = "MyConditionalRouter"

    inputs = [
        MessageTextInput(name="input_text", display_name="Text Input", required=True),
        MessageTextInput(name="match_text", display_name="Match Text", required=True),
        DropdownInput(
            name="operator",
            display_name="Operator",
            options=["equals", "not equals", "contains", "starts with", "ends with", "regex"],
            value="equals",
        ),
        BoolInput(name="case_sensitive", display_name="Case Sensitive", value=False, advanced=True),
        MessageInput(name="message", display_name="Message", advanced=True),
    ]
    outputs = [
        Output(display_name="True", name="true_result", method="true_response"),
        Output(display_name="False", name="false_result", method="false_response"),
    ]

    def evaluate(self) -> bool:
        a, b = self.input_text, self.match_text
        if not self.case_sensitive and self.operator != "regex":
            a, b = a.lower(), b.lower()
        return {
            "equals": lambda: a == b,
            "not equals": lambda: a != b,
            "contains": lambda: b in a,
            "starts with": lambda: a.startswith(b),
            "ends with": lambda: a.endswith(b),
            "regex": lambda: bool(re.match(b, a)),
        }[self.operator]()

    def true_response(self) -> Message:
        if self.evaluate():
            self.status = self.message or self.input_text
            return self.message or Message(text=self.input_text)
        self.stop("true_result")
        return Message(content="")

    def false_response(self) -> Message:
        if not self.evaluate():
            return self.message or Message(text=self.input_text)
        self.stop("false_result")
        return Message(content="")
