from langflow.custom import Component
from langflow.io import Output
from langflow.schema.message import Message
import datetime as dt


class Today(Component):
    display_name = "Today"
    add_tool_output = True
    minimized = True
    priority = 3
    metadata = {"keywords": ["date", "now"]}
    outputs = [Output(name="today", display_name="Today", method="today")]

    def today(self) -> Message:
        now = dt.datetime.now(dt.timezone.utc)
        return Message(text=now.strftime("%Y-%m-%d"))
