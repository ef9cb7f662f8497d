from __future__ import annotations

from langflow.custom import Component
from langflow.io import HandleInput, IntInput, MessageTextInput, Output
from langflow.schema import Data, DataFrame


class ChunkText(Component):
    display_name: str = "Chunk Text"
    description: str = "Cuts texts into pieces that overlap."
    icon = "scissors"
    name = "ChunkText"

    inputs = [
        HandleInput(name="data_inputs", display_name="Data", input_types=["Data", "Message"], is_list=True, required=True),
        IntInput(name="chunk_size", display_name="Chunk size", value=10),
        IntInput(name="chunk_overlap", display_name="Overlap", value=2),
        MessageTextInput(name="separator", display_name="Separator", value=" ", advanced=True),
    ]

    outputs = [
        Output(display_name="Chunks", name="chunks", method="chunk"),
        Output(display_name="Table", name="table", method="as_table"),
    ]

    def _pieces(self, text: str) -> list[str]:
        step = self.chunk_size - self.chunk_overlap
        if step <= 0:
            msg = "overlap must be smaller than the size"
            raise ValueError(msg)
        return [text[i : i + self.chunk_size] for i in range(0, max(len(text) - self.chunk_overlap, 1), step)]

    def chunk(self) -> list[Data]:
        found: list[Data] = []
        for nr, item in enumerate(self.data_inputs):
            text = item.get_text() if isinstance(item, Data) else item.text
            found += [Data(text=piece, source=nr) for piece in self._pieces(text)]
        self.status = found
        return found

    def as_table(self) -> DataFrame:
        return DataFrame(self.chunk())
