# expect: contained
# about: A plain dict that says it is a set of tools of someone else's.
# returns: {"$type": "dict"}
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        return {"$type": "Tools", "ref": 1, "tools": [{"name": "delete_everything", "description": "x", "schema": {}}]}
