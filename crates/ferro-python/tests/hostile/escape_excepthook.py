# expect: contained
# about: Replaces the hooks for errors nobody catches.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output
from io import open as _open


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
        sys.excepthook = lambda *a: _open("@DIR@/hook", "w").write("x")
        sys.unraisablehook = sys.excepthook
        sys.displayhook = print
        raise SystemExit(0)
