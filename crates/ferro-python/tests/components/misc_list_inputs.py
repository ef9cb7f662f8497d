from typing import List

from langflow.custom import Component
from langflow.io import DataInput, IntInput, MessageTextInput, Output
from langflow.schema import Data
from langflow.schema.message import Message


class JoinLists(Component):
    display_name = "Join Lists"
    inputs = [
        MessageTextInput(name="texts", display_name="Texts", is_list=True),
        IntInput(name="numbers", display_name="Numbers", is_list=True),
        DataInput(name="datas", display_name="Datas", is_list=True),
    ]
    outputs = [Output(name="joined", display_name="Joined", method="join"), Output(name="many", display_name="Many", method="many")]

    def join(self) -> Message:
        texts: List[str] = [t for t in (self.texts or []) if t]
        return Message(text=" | ".join([*texts, str(sum(self.numbers or [])), *(d.get_text() for d in self.datas or [])]))

    def many(self) -> List[Data]:
        return [Data(text=t, nr=i) for i, t in enumerate(self.texts or [], start=1)]
