# expect: refused
# about: Puts modules of its own under known names.
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
        import types
        for name in ("json", "re", "lfx", "lfx.io", "requests", "ferro_shim.wire", "_host"):
            sys.modules[name] = types.ModuleType(name)
        return None
