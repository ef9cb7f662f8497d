# expect: contained
# about: A plain dict that says it is a live reference: it must come out as a dict.
# returns: {"$type": "dict"}
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        return {"$type": "Live", "kind": "LanguageModel", "ref": 1}
