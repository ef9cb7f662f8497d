from langchain_core.tools import Tool

from langflow.custom import Component
from langflow.io import MessageTextInput, Output


class ReverseTool(Component):
    display_name = "Reverse Tool"
    inputs = [MessageTextInput(name="suffix", display_name="Suffix", value="")]
    outputs = [Output(name="reverse", display_name="Tool", method="make_tool")]

    def make_tool(self) -> Tool:
        return Tool(name="reverse_text", description="Reverse a text.", func=self.reverse)

    def reverse(self, text: str) -> str:
        self.log(f"reversing {len(text)} characters")
        return text[::-1] + self.suffix
