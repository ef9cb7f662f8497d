import csv
import io

from langflow.custom import Component
from langflow.io import DropdownInput, MultilineInput, Output
from langflow.schema import Data, DataFrame
from langflow.schema.message import Message


class CsvTable(Component):
    display_name = "CSV to Table"
    icon = "table"
    inputs = [
        MultilineInput(name="text", display_name="CSV"),
        DropdownInput(name="delimiter", display_name="Delimiter", options=["auto", ",", ";", "tab"], value="auto"),
    ]
    outputs = [
        Output(name="table", display_name="Table", method="table"),
        Output(name="markdown", display_name="Markdown", method="markdown"),
    ]

    def _rows(self):
        sep = {"tab": "\t"}.get(self.delimiter, self.delimiter)
        if sep == "auto":
            head = self.text.split("\n", 1)[0]
            sep = max(",;\t", key=head.count)
        return list(csv.DictReader(io.StringIO(self.text), delimiter=sep, skipinitialspace=True))

    def table(self) -> DataFrame:
        return DataFrame([Data(data=r) for r in self._rows()])

    def markdown(self) -> Message:
        rows = self._rows()
        if not rows:
            return Message(text="")
        head = list(rows[0])
        lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        lines.extend("| " + " | ".join(r[h] or "" for h in head) + " |" for r in rows)
        return Message(text="\n".join(lines))
