import heapq
import itertools as it
from bisect import insort
from collections import ChainMap, OrderedDict, deque, namedtuple

from lfx.custom.custom_component.component import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.data import Data

Pair = namedtuple("Pair", "left right")


class Windows(Component):
    display_name = "Windows"
    inputs = [
        MessageTextInput(name="numbers", display_name="Numbers", value="5, 3, 8, 1"),
        IntInput(name="size", display_name="Size", value=2),
    ]
    outputs = [Output(name="out", display_name="Out", method="windows")]

    def windows(self) -> Data:
        values = [int(v) for v in self.numbers.split(",") if v.strip()]
        window: deque[int] = deque(maxlen=self.size)
        means = []
        for v in values:
            window.append(v)
            if len(window) == self.size:
                means.append(sum(window) / self.size)
        ordered: list[int] = []
        for v in values:
            insort(ordered, v)
        pairs = [Pair(*p)._asdict() for p in zip(values, values[1:])]
        runs = [(k, len(list(g))) for k, g in it.groupby(values, key=lambda v: v > 4)]
        settings = ChainMap({"size": self.size}, {"size": 99, "kind": "mean"})
        return Data(
            data={
                "means": means,
                "sorted": ordered,
                "top": heapq.nlargest(2, values),
                "pairs": pairs,
                "runs": runs,
                "running": list(it.accumulate(values)),
                "settings": dict(settings),
                "unique": list(OrderedDict.fromkeys(values)),
                "combos": sum(1 for _ in it.combinations(values, 2)),
            }
        )
