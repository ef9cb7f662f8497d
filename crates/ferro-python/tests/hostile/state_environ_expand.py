# expect: contained
# about: Reads the environment by expanding a path.
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
        import os.path
        text = os.path.expandvars("$HOME|$PATH|$USER") + os.path.expanduser("~")
        return text if "/" in text.replace("$", "") else None
