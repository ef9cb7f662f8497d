import re
from collections import Counter
from typing import Dict, List

from lfx.custom.custom_component.component import Component
from lfx.io import BoolInput, IntInput, MultilineInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message

WORD = re.compile(r"[^\W\d_]+", re.UNICODE)


class WordStats(Component):
    """Counts words.

    Two outputs, two methods.
    """

    display_name = "Word Stats"
    description = "Counts the words of a text."
    icon = "hash"

    inputs = [
        MultilineInput(name="text", display_name="Text", required=True),
        IntInput(name="top", display_name="Top", value=3, advanced=True),
        BoolInput(name="fold", display_name="Ignore case", value=True),
    ]
    outputs = [
        Output(name="stats", display_name="Stats", method="make_stats"),
        Output(name="summary", display_name="Summary", method="make_summary"),
    ]

    def _words(self) -> List[str]:
        text = self.text.casefold() if self.fold else self.text
        return WORD.findall(text)

    def make_stats(self) -> Data:
        words = self._words()
        counts: Dict[str, int] = dict(Counter(words).most_common(self.top))
        return Data(data={"total": len(words), "unique": len(set(words)), "top": counts})

    def make_summary(self) -> Message:
        words = self._words()
        longest = max(words, key=len, default="")
        return Message(text=f"{len(words)} words, longest {longest!r}")
