# expect: contained
# about: Takes open from the globals of the outermost frame.
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
        frame = sys._getframe()
        while frame.f_back is not None:
            frame = frame.f_back
        scope = frame.f_builtins
        return scope["open"]("@SECRET@").read()
