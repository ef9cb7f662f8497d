from string import Template
import textwrap

from lfx.custom import Component
from lfx.io import MultilineInput, DictInput, IntInput, Output
from lfx.schema import Message


class FillTemplate(Component):
    display_name = "Fill Template"
    description = "Puts values into $names of a template."

    inputs = [
        MultilineInput(name="template", display_name="Template", value="Dear $name,\n$body"),
        DictInput(name="values", display_name="Values", is_list=True),
        IntInput(name="width", display_name="Width", value=0),
    ]
    outputs = [Output(display_name="Text", name="filled", method="fill")]

    def fill(self) -> Message:
        text = Template(self.template).safe_substitute(self.values or {})
        if self.width > 0:
            text = "\n".join(textwrap.fill(line, self.width) for line in text.splitlines())
        return Message(text=text)
