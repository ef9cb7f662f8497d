from collections import defaultdict

from lfx.custom import Component
from lfx.io import DataFrameInput, Output, StrInput
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame


class GroupSum(Component):
    display_name = "Group and Sum"
    inputs = [
        DataFrameInput(name="table", display_name="Table"),
        StrInput(name="by", display_name="Group by", value="city"),
        StrInput(name="amount", display_name="Amount", value="sales"),
    ]
    outputs = [
        Output(name="sums", display_name="Sums", method="sums"),
        Output(name="best", display_name="Best", method="best"),
    ]

    def _groups(self) -> dict[str, float]:
        groups: defaultdict[str, float] = defaultdict(float)
        for row in self.table.to_dict(orient="records"):
            groups[row[self.by]] += row[self.amount] or 0
        return dict(sorted(groups.items()))

    def sums(self) -> DataFrame:
        return DataFrame([{self.by: k, "total": round(v, 2)} for k, v in self._groups().items()])

    def best(self) -> Data:
        groups = self._groups()
        if not groups:
            return Data(data={})
        top = max(groups, key=groups.__getitem__)
        return Data(data={self.by: top, "total": groups[top], "rows": len(self.table)})
