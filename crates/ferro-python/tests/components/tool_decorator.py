from langchain_core.tools import tool
from langflow.custom import Component
from langflow.field_typing import Tool
from langflow.io import IntInput, Output


class DiceTools(Component):
    display_name = "Number Tools"
    description = "Two little tools made with the decorator."
    icon = "dice-5"
    inputs = [IntInput(name="offset", display_name="Offset", value=0)]
    outputs = [Output(name="tools", display_name="Tools", method="build_tools")]

    def build_tools(self) -> list[Tool]:
        offset = self.offset

        @tool
        def add(a: int, b: int = 2) -> int:
            """Add two whole numbers."""
            return a + b + offset

        @tool("shout")
        def make_loud(text: str) -> str:
            """Make a text loud."""
            return text.upper() + "!"

        return [add, make_loud]
