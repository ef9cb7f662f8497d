from lfx.custom.custom_component.component import Component
from lfx.io import DataInput, Output
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame


class DataMoves(Component):
    display_name = "Data Moves"
    inputs = [DataInput(name="data", display_name="Data")]
    outputs = [Output(name="out", display_name="Out", method="moves"), Output(name="table", display_name="Table", method="table")]

    def moves(self) -> Data:
        d = self.data
        extra = Data(data={"more": 1})
        d.score = 0.5
        copy = d.model_copy() if hasattr(d, "model_copy") else d
        return Data(
            data={
                "name": d.name,
                "keys": sorted(d.data),
                "missing": getattr(d, "nothing", "default"),
                "text": d.get_text(),
                "merged": (d + extra).data,
                "same": copy.data == d.data,
                "str": isinstance(str(d), str),
                "set": d.data.get("score"),
            }
        )

    def table(self) -> DataFrame:
        df = DataFrame([{"a": 1}])
        df = df.add_row({"a": 2})
        df = df.add_rows([Data(data={"a": 3}), {"a": 4}])
        back = df.to_data_list()
        return DataFrame([Data(data={"a": d.data["a"] * 10}) for d in back])
