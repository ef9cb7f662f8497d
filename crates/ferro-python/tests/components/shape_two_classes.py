"""A helper component and the real one: the last one is the node."""
from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema.message import Message


class Cleaner(Component):
    display_name = "Cleaner"
    inputs = [MessageTextInput(name="dirty", display_name="Dirty")]
    outputs = [Output(name="clean", display_name="Clean", method="clean")]

    def clean(self) -> Message:
        return Message(text=" ".join(self.dirty.split()))


class CleanTitle(Component):
    display_name = "Clean Title"
    inputs = [MessageTextInput(name="raw", display_name="Raw", value="  the   old man ")]
    outputs = [Output(name="title", display_name="Title", method="make_title")]

    def make_title(self) -> Message:
        helper = Cleaner()
        helper.set(dirty=self.raw)
        return Message(text=helper.clean().text.title())
