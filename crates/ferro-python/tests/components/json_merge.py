from copy import deepcopy
from functools import reduce

from langflow.custom import Component
from langflow.io import DataInput, DropdownInput, Output
from langflow.schema import Data


def deep_merge(left: dict, right: dict) -> dict:
    out = deepcopy(left)
    for key, value in right.items():
        if isinstance(out.get(key), dict) and isinstance(value, dict):
            out[key] = deep_merge(out[key], value)
        else:
            out[key] = deepcopy(value)
    return out


class MergeData(Component):
    display_name = "Merge Data"
    description = "Merges several data objects, later ones win."
    icon = "merge"
    MIN_INPUTS = 2

    inputs = [
        DataInput(name="items", display_name="Items", is_list=True, required=True),
        DropdownInput(name="mode", display_name="Mode", options=["deep", "flat"], value="deep"),
    ]
    outputs = [Output(name="merged", display_name="Merged", method="merge")]

    def merge(self) -> Data:
        items = self.items if isinstance(self.items, list) else [self.items]
        if len(items) < self.MIN_INPUTS:
            self.status = "only one item"
            return items[0]
        how = deep_merge if self.mode == "deep" else (lambda a, b: {**a, **b})
        return Data(data=reduce(how, (i.data for i in items), {}))
