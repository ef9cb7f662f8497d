from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema.message import Message


class Narrator(Component):
    display_name = "Narrator"
    inputs = [MessageTextInput(name="steps", display_name="Steps", is_list=True, value=["one", "two"])]
    outputs = [Output(name="last", display_name="Last", method="narrate")]

    async def narrate(self) -> Message:
        message = Message(text="starting", sender="Machine", sender_name="Narrator")
        message = await self.send_message(message)
        for step in self.steps:
            message.text = f"{message.text}, {step}"
            message = await self.send_message(message)
        self.status = message
        return message
