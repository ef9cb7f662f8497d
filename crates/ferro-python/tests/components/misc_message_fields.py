from langflow.custom import Component
from langflow.io import MessageInput, Output
from langflow.schema import Data
from langflow.schema.message import Message
from langflow.utils.constants import MESSAGE_SENDER_AI, MESSAGE_SENDER_USER


class Inspect(Component):
    display_name = "Inspect Message"
    inputs = [MessageInput(name="message", display_name="Message", required=True)]
    outputs = [Output(name="info", display_name="Info", method="info"), Output(name="reply", display_name="Reply", method="reply")]

    def info(self) -> Data:
        m = self.message
        return Data(data={"text": m.text, "sender": m.sender, "from_user": m.sender == MESSAGE_SENDER_USER, "session": m.session_id, "files": len(m.files or []), "is_message": isinstance(m, Message), "is_data": isinstance(m, Data), "again": m.get_text()})

    def reply(self) -> Message:
        return Message(text=f"re: {self.message.text}", sender=MESSAGE_SENDER_AI, sender_name="Bot", session_id=self.message.session_id)
