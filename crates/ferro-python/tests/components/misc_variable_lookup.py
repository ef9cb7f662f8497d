from lfx.custom.custom_component.component import Component
from lfx.io import Output, StrInput
from lfx.schema.message import Message


class UsesVariable(Component):
    display_name = "Uses Variable"
    inputs = [StrInput(name="variable", display_name="Variable", value="GREETING")]
    outputs = [Output(name="out", display_name="Out", method="read_it")]

    async def read_it(self) -> Message:
        value = await self.get_variables(name=self.variable, field="variable")
        return Message(text=f"{self.variable} is {value}")
