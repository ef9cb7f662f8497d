from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union

from langflow.custom import Component
from langflow.io import MessageTextInput, Output

if TYPE_CHECKING:
    from langflow.schema import Data

from langflow.schema import Data as D
from langflow.schema.message import Message

Answer: TypeAlias = "Message"
Either: TypeAlias = Union[D, Message]


class Annotated(Component):
    display_name = "Annotated"
    inputs = [MessageTextInput(name="x", display_name="X", value="1")]
    outputs = [
        Output(name="a", display_name="A", method="a"),
        Output(name="b", display_name="B", method="b"),
        Output(name="c", display_name="C", method="c", types=["Text"]),
        Output(name="d", display_name="D", method="d"),
    ]

    def a(self) -> "Message":
        return Message(text=self.x)

    def b(self) -> Message | D:
        return D(data={"x": self.x})

    def c(self):
        return self.x * 2

    async def d(self) -> list[Message]:
        return [Message(text=self.x), Message(text="2")]
