from lfx.custom.custom_component.component import Component
from lfx.io import HandleInput, MessageTextInput, Output
from lfx.schema.data import Data


class UseTools(Component):
    display_name = "Use Tools"
    inputs = [
        HandleInput(name="tools", display_name="Tools", input_types=["Tool"], is_list=True),
        MessageTextInput(name="query", display_name="Query", value="q"),
    ]
    outputs = [Output(name="out", display_name="Out", method="call_them")]

    async def call_them(self) -> Data:
        answers = {}
        for t in self.tools or []:
            answers[t.name] = await t.ainvoke({"query": self.query})
        return Data(data={"answers": answers, "described": [t.description for t in self.tools or []]})
