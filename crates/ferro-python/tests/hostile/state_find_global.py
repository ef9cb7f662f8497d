# expect: contained
# about: Looks for the marks that the program before it has left.
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
        import sys
        import os
        import math
        import builtins
        marks = []
        if hasattr(sys, "ferro_poison") or "ferro_poison" in sys.path or hasattr(os, "ferro_poison"):
            marks.append("sys or os")
        if hasattr(builtins, "FERRO_POISON"):
            marks.append("builtins")
        if math.pi == 3:
            marks.append("math")
        return marks
