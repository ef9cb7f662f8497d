import math
from datetime import date
from decimal import Decimal
from pathlib import PurePosixPath
from uuid import UUID

from langflow.custom import Component
from langflow.io import DropdownInput, Output


class Plain(Component):
    """Returns things that are not Data or Message."""

    display_name = "Plain"
    inputs = [DropdownInput(name="kind", display_name="Kind", options=["str", "int", "dict", "list", "none", "odd"], value="str")]
    outputs = [Output(name="out", display_name="Out", method="give", types=["Any"])]

    def give(self):
        values = {
            "str": "text",
            "int": 42,
            "dict": {"a": (1, 2), 3: "three"},
            "list": [1, "two", None, True],
            "none": None,
            "odd": {"set": {1}, "nan": math.nan, "inf": math.inf, "dec": Decimal("1.50"), "date": date(2024, 1, 2), "uuid": UUID(int=1), "path": PurePosixPath("/a/b"), "frozen": frozenset(["x"]), "range": range(3), "obj": object, "complex": 1 + 2j},
        }
        return values[self.kind]
