from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema.message import Message


class Typewriter(Component):
    display_name = "Typewriter"
    description = "Gives its text word by word."
    inputs = [MessageTextInput(name="text", display_name="Text", value="one two three")]
    outputs = [Output(name="message", display_name="Message", method="type_it")]

    def _words(self):
        for i, word in enumerate(self.text.split()):
            yield word if i == 0 else f" {word}"

    def type_it(self) -> Message:
        return Message(text=self._words(), sender="Machine", sender_name="Typewriter")
