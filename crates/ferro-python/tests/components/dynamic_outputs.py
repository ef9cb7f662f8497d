from lfx.custom.custom_component.component import Component
from lfx.io import MessageTextInput, Output, TabInput
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame
from lfx.schema.message import Message


class ShapeShifter(Component):
    display_name = "Shape Shifter"
    inputs = [
        MessageTextInput(name="text", display_name="Text", value="a b"),
        TabInput(name="kind", display_name="Kind", options=["Message", "Data", "DataFrame"], value="Message", real_time_refresh=True),
    ]
    outputs = [Output(name="message", display_name="Message", method="to_message")]

    def update_outputs(self, frontend_node: dict, field_name: str, field_value) -> dict:
        if field_name == "kind":
            frontend_node["outputs"] = []
            if field_value == "Message":
                frontend_node["outputs"].append(Output(name="message", display_name="Message", method="to_message"))
            elif field_value == "Data":
                frontend_node["outputs"].append(Output(name="data", display_name="Data", method="to_data").to_dict())
            else:
                frontend_node["outputs"].append(Output(name="table", display_name="Table", method="to_table"))
        return frontend_node

    def to_message(self) -> Message:
        return Message(text=self.text)

    def to_data(self) -> Data:
        return Data(data={"words": self.text.split()})

    def to_table(self) -> DataFrame:
        return DataFrame([{"word": w} for w in self.text.split()])
