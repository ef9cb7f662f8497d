from abc import abstractmethod

from lfx.custom.custom_component.component import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.message import Message


class Base(Component):
    trace_type = "tool"
    inputs = [MessageTextInput(name="text", display_name="Text", value="abc")]
    outputs = [Output(name="result", display_name="Result", method="result")]

    @abstractmethod
    def change(self, text: str) -> str: ...

    def result(self) -> Message:
        return Message(text=self.change(self.text))


class Mixin:
    brackets: tuple[str, str] = ("<", ">")

    def wrap(self, text: str) -> str:
        left, right = self.brackets
        return f"{left}{text}{right}"


class Rotate(Mixin, Base):
    display_name = "Rotate"
    brackets = ("[", "]")
    inputs = [*Base.inputs, IntInput(name="by", display_name="By", value=1)]

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._seen: list[str] = []

    def change(self, text: str) -> str:
        self._seen.append(text)
        by = self.by % (len(text) or 1)
        return self.wrap(text[by:] + text[:by]) + str(len(self._seen))
