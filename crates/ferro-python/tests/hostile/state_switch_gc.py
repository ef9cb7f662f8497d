# expect: contained
# about: Leaves collector, switch interval and hooks changed.
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
        import gc
        import sys
        gc.disable()
        gc.set_threshold(0)
        if hasattr(sys, "setswitchinterval"):
            sys.setswitchinterval(1000)
        sys.displayhook = sys.excepthook = None
        return None
