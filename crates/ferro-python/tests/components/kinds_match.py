import json
from dataclasses import dataclass

from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema.message import Message


@dataclass
class Point:
    x: int
    y: int


class Commands(Component):
    display_name = "Commands"
    inputs = [MessageTextInput(name="line", display_name="Command", value="go north")]
    outputs = [Output(name="reply", display_name="Reply", method="reply")]

    def reply(self) -> Message:
        return Message(text=self._answer(self.line.split()) if not self.line.startswith("{") else self._event(json.loads(self.line)))

    def _answer(self, words):
        match words:
            case []:
                return "say something"
            case ["go", ("north" | "south" | "east" | "west") as where]:
                return f"you go {where}"
            case ["take", *things] if things:
                return f"you take {' and '.join(things)}"
            case [single]:
                return f"{single} what?"
            case _:
                return "I do not understand"

    def _event(self, event):
        if "x" in event and "y" in event:
            event = Point(event["x"], event["y"])
        match event:
            case {"type": "click", "at": [x, y], **rest}:
                return f"click {x},{y} {sorted(rest)}"
            case Point(x=0, y=0):
                return "origin"
            case Point(x=x, y=y):
                return f"point {x + y}"
            case _:
                return "unknown event"
