import json
from typing import Any

from langflow.custom import Component
from langflow.io import DataInput, MessageTextInput, Output
from langflow.schema import Data
from langflow.schema.message import Message


class PickPath(Component):
    display_name = "Pick Path"
    description = "Follows a dotted path into JSON."
    icon = "braces"

    inputs = [
        DataInput(name="data", display_name="Data"),
        MessageTextInput(name="path", display_name="Path", value="a.b"),
    ]
    outputs = [
        Output(name="value", display_name="Value", method="pick"),
        Output(name="text", display_name="Text", method="pick_text"),
    ]

    def pick(self) -> Data:
        here: Any = self.data.data
        for part in filter(None, self.path.split(".")):
            match here:
                case dict():
                    if part not in here:
                        raise KeyError(part)
                    here = here[part]
                case list() if part.lstrip("-").isdigit():
                    here = here[int(part)]
                case _:
                    raise TypeError(f"cannot go into {type(here).__name__} with {part!r}")
        return Data(data=here if isinstance(here, dict) else {"value": here})

    def pick_text(self) -> Message:
        return Message(text=json.dumps(self.pick().data, sort_keys=True, ensure_ascii=False))
