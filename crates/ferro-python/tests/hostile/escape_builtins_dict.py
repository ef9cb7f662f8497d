# expect: refused
# about: Reads eval out of the dictionary of builtins.
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
        b = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
        return b["ev" + "al"]("open('@SECRET@').read()")
