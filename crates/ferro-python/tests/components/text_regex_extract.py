import re
from langflow.custom import Component
from langflow.io import MessageTextInput, MultilineInput, DropdownInput, Output
from langflow.schema import Data
from langflow.schema.message import Message

FLAGS = {"none": 0, "ignore case": re.IGNORECASE, "multi line": re.MULTILINE}


class RegexExtractor(Component):
    display_name = "Regex Extractor"
    description = "Extract patterns from text using regular expressions."
    icon = "regex"

    inputs = [
        MessageTextInput(name="input_text", display_name="Input Text", required=True),
        MultilineInput(name="pattern", display_name="Pattern", value=r"(?P<user>[\w.]+)@(?P<host>[\w.]+\w)"),
        DropdownInput(name="flags", display_name="Flags", options=list(FLAGS), value="none"),
    ]
    outputs = [
        Output(display_name="Matches", name="matches", method="extract"),
        Output(display_name="First", name="first", method="first_match"),
    ]

    def _compiled(self):
        try:
            return re.compile(self.pattern, FLAGS[self.flags])
        except re.error as e:
            raise ValueError(f"bad pattern: {e}") from e

    def extract(self) -> list[Data]:
        return [Data(data={"match": m.group(0), **m.groupdict(), "at": m.start()}) for m in self._compiled().finditer(self.input_text)]

    def first_match(self) -> Message:
        if (m := self._compiled().search(self.input_text)) is None:
            return Message(text="")
        return Message(text=m[0])
