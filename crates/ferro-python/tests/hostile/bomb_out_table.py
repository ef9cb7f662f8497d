# expect: error
# about: Returns a table of ten million cells.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output

from lfx.schema.dataframe import DataFrame

class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        return DataFrame([{f"c{j}": i * j for j in range(100)} for i in range(100_000)])
