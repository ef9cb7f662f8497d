# expect: contained
# about: The same inside Data and a table, with dict inside dict.
from lfx.custom import Component
from lfx.io import Output

from lfx.schema import Data

class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        return Data(data={"$type": "Live", "ref": 2, "in": {"$type": "bytes", "b64": "###"}, "deep": [{"$type": "dict", "items": [["$type", "Live"]]}], "wrong": {"$type": 5}})
