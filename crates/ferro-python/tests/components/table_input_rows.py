from lfx.custom import Component
from lfx.io import Output, TableInput
from lfx.schema.data import Data
from lfx.schema.message import Message


class KeyValueForm(Component):
    display_name = "Key Value Form"
    inputs = [
        TableInput(
            name="rows",
            display_name="Rows",
            table_schema=[
                {"name": "key", "display_name": "Key", "type": "str", "description": "Name"},
                {"name": "value", "display_name": "Value", "type": "str", "default": ""},
                {"name": "on", "display_name": "On", "type": "boolean", "default": True},
            ],
            value=[{"key": "Accept", "value": "text/html", "on": True}],
        )
    ]
    outputs = [
        Output(name="data", display_name="Data", method="as_data"),
        Output(name="lines", display_name="Lines", method="as_lines"),
    ]

    def as_data(self) -> Data:
        return Data(data={r["key"]: r["value"] for r in self.rows if r.get("on", True)})

    def as_lines(self) -> Message:
        return Message(text="; ".join(f"{k}={v}" for k, v in self.as_data().data.items()))
