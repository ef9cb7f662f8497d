import re
import unicodedata

from langflow.custom import Component
from langflow.inputs import StrInput, MessageTextInput
from langflow.template import Output
from langflow.schema.message import Message


class Slugify(Component):
    display_name = "Slugify"
    icon = "link"
    inputs = [
        MessageTextInput(name="title", display_name="Title"),
        StrInput(name="sep", display_name="Separator", value="-"),
    ]
    outputs = [Output(name="slug", display_name="Slug", method="slugify")]

    def slugify(self) -> Message:
        plain = unicodedata.normalize("NFKD", self.title)
        plain = plain.encode("ascii", "ignore").decode("ascii").lower()
        plain = re.sub(r"[^a-z0-9]+", self.sep, plain).strip(self.sep)
        if not plain:
            raise ValueError("nothing left of the title")
        return Message(text=plain)
