# expect: contained
# about: collections.namedtuple once evaluated its field names.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        try:
            loot = self.go()
        except BaseException:
            return "held"
        return "LE" "AK: " + str(loot)[:200] if loot else "held"

    def go(self):
        from collections import namedtuple
        namedtuple("X", ["a", "b=open('@SECRET@').read()"])
        return "accepted"
