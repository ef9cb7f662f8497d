# expect: contained
# about: Lone surrogates and control characters in everything that leaves.
# returns: {"$re": "held"}
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        print("\udcff\ud800")
        self.log("\ud83d")
        self.status = "\udfff\x00\x1b[31m"
        return "held \ud800\x00"
