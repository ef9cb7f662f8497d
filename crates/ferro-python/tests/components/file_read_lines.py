from langflow.custom import Component
from langflow.io import FileInput, IntInput, Output
from langflow.schema import Data
from langflow.schema.message import Message


class FirstLines(Component):
    display_name = "First Lines"
    description = "Reads the first lines of the file that was given."
    icon = "file"
    inputs = [
        FileInput(name="path", display_name="File", file_types=["txt", "md"], required=True),
        IntInput(name="lines", display_name="Lines", value=2),
    ]
    outputs = [Output(name="head", display_name="Head", method="head"), Output(name="size", display_name="Size", method="size")]

    def head(self) -> Message:
        if not self.path:
            raise ValueError("choose a file first")
        text = self.read_file(self.path).decode("utf-8-sig")
        return Message(text="\n".join(text.splitlines()[: self.lines]))

    def size(self) -> Data:
        return Data(data={"bytes": len(self.read_file(self.path))})
