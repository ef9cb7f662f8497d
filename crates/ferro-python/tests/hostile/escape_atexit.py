# expect: contained
# about: Leaves a function for the end of the process.
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
        import atexit
        def bye():
            _open("@DIR@/atexit", "w").write("x")
        atexit.register(bye)
        return None
