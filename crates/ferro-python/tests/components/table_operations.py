from langflow.custom import Component
from langflow.io import BoolInput, DataFrameInput, DropdownInput, IntInput, MessageTextInput, Output
from langflow.schema import DataFrame


class TableOps(Component):
    display_name = "Table Operations"
    description = "Common operations on a table."
    OPERATIONS = ["Head", "Sort", "Rename Column", "Drop Column", "Add Column", "Select Columns"]
    inputs = [
        DataFrameInput(name="df", display_name="Table"),
        DropdownInput(name="operation", display_name="Operation", options=OPERATIONS, value="Head", real_time_refresh=True),
        MessageTextInput(name="column_name", display_name="Column", show=True),
        BoolInput(name="ascending", display_name="Ascending", value=True),
        MessageTextInput(name="new_value", display_name="New value"),
        IntInput(name="num_rows", display_name="Rows", value=2),
    ]
    outputs = [Output(display_name="Table", name="output", method="perform_operation")]

    def perform_operation(self) -> DataFrame:
        df = self.df.copy()
        op = self.operation
        if op == "Head":
            return DataFrame(df.head(self.num_rows))
        if op == "Sort":
            return DataFrame(df.sort_values(by=self.column_name, ascending=self.ascending))
        if op == "Rename Column":
            return DataFrame(df.rename(columns={self.column_name: self.new_value}))
        if op == "Drop Column":
            return DataFrame(df.drop(columns=[self.column_name]))
        if op == "Add Column":
            df[self.column_name] = [self.new_value] * len(df)
            return DataFrame(df)
        if op == "Select Columns":
            return DataFrame(df[[c.strip() for c in self.column_name.split(",")]])
        raise ValueError(f"Unsupported operation: {op}")
