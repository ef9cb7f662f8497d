import json

from lfx.custom import Component
from lfx.io import MessageTextInput, Output, BoolInput
from lfx.schema import Data, DataFrame


class ParseJson(Component):
    display_name = "Parse JSON"
    inputs = [
        MessageTextInput(name="text", display_name="JSON text"),
        BoolInput(name="strict", display_name="Strict", value=False, advanced=True),
    ]
    outputs = [
        Output(name="data", display_name="Data", method="parse"),
        Output(name="rows", display_name="Rows", method="to_rows"),
    ]

    def _load(self):
        text = self.text.strip()
        # models like to wrap it in a fence
        if text.startswith("```"):
            text = text.split("\n", 1)[1].rsplit("```", 1)[0]
        try:
            return json.loads(text)
        except json.JSONDecodeError as err:
            if self.strict:
                raise
            self.log(f"not JSON at {err.lineno}:{err.colno}", name="parser")
            return {"raw": text}

    def parse(self) -> Data:
        value = self._load()
        return Data(data=value) if isinstance(value, dict) else Data(data={"items": value})

    def to_rows(self) -> DataFrame:
        value = self._load()
        return DataFrame(value if isinstance(value, list) else [value])
