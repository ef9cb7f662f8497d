# expect: contained
# about: Replaces the hook that shows warnings to write into a file.
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
        import warnings
        def show(message, category, filename, lineno, file=None, line=None):
            _open("@DIR@/warned", "w").write(str(message))
        warnings.showwarning = show
        warnings.warn("x")
        return None
