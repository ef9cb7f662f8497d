from langflow.custom import Component
from langflow.io import DataFrameInput, DropdownInput, MessageTextInput, StrInput, Output
from langflow.schema import DataFrame
import operator

OPS = {
    "equals": operator.eq,
    "not equals": operator.ne,
    "greater than": operator.gt,
    "less than": operator.lt,
}


class FilterRows(Component):
    display_name = "Filter Rows"
    description = "Keeps the rows whose column fits."
    icon = "filter"

    inputs = [
        DataFrameInput(name="df", display_name="Table", required=True),
        StrInput(name="column", display_name="Column", value="age"),
        DropdownInput(name="op", display_name="Operator", options=list(OPS.keys()), value="greater than"),
        MessageTextInput(name="wanted", display_name="Value", value="30"),
    ]
    outputs = [Output(name="rows", display_name="Rows", method="filter_rows")]

    def filter_rows(self) -> DataFrame:
        if self.column not in self.df.columns:
            raise ValueError(f"no column {self.column!r}, there are: {', '.join(self.df.columns)}")
        test = OPS[self.op]
        kept = []
        for _, row in self.df.iterrows():
            cell = row[self.column]
            wanted = type(cell)(self.wanted)
            if test(cell, wanted):
                kept.append(dict(row))
        return DataFrame(kept)
