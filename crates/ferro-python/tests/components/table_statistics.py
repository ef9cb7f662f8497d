import math
import statistics as st
from typing import Sequence

from langflow.custom import Component
from langflow.io import DataFrameInput, FloatInput, Output, StrInput
from langflow.schema import Data, DataFrame


def describe(values: Sequence[float]) -> dict:
    return {
        "n": len(values),
        "mean": round(st.fmean(values), 4),
        "median": st.median(values),
        "stdev": round(st.stdev(values), 4) if len(values) > 1 else None,
        "min": min(values),
        "max": max(values),
    }


class ColumnStatistics(Component):
    display_name = "Column Statistics"
    inputs = [
        DataFrameInput(name="df", display_name="Table"),
        StrInput(name="column", display_name="Column", value="x"),
        FloatInput(name="cut", display_name="Outlier cut", value=1.5, advanced=True),
    ]
    outputs = [
        Output(name="stats", display_name="Stats", method="stats"),
        Output(name="outliers", display_name="Outliers", method="outliers"),
    ]

    def _values(self) -> list[float]:
        return [float(v) for v in self.df[self.column] if v is not None and not math.isnan(float(v))]

    def stats(self) -> Data:
        values = self._values()
        if not values:
            raise ValueError("the column is empty")
        return Data(data=describe(values))

    def outliers(self) -> DataFrame:
        values = self._values()
        q1, _, q3 = st.quantiles(values, n=4)
        spread = (q3 - q1) * self.cut
        return DataFrame([{"value": v} for v in values if not q1 - spread <= v <= q3 + spread])
