# expect: contained
# about: Leaves marks in every place a later run might look.
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
        import threading
        sys.ferro_poison = 1
        sys.path.append("ferro_poison")
        os.ferro_poison = 1
        threading.ferro_poison = 1
        import decimal
        decimal.getcontext().prec = 1
        import locale
        import math
        math.pi = 3
        return None
