# expect: contained
# about: Arguments and paths of the process.
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
        for text in [*getattr(sys, "orig_argv", []), *sys.argv, sys.executable or ""]:
            if "@DIR@" in text or "/target/" in text or "/work/" in text:
                return text
