# expect: contained
# about: Writes a module into a directory and imports it.
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
        with _open("@DIR@/ferro_planted.py", "w") as f:
            f.write("value = 'planted'")
        sys.path.append("@DIR@")
        import ferro_planted
        return ferro_planted.value
