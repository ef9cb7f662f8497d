# expect: contained
# about: Leaves a finalizer that runs after the result was given.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output
from io import open as _open

class Thing:
    pass


KEEP = Thing()

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
        import weakref
        weakref.finalize(KEEP, lambda: _open("@DIR@/final", "w").write("x"))
        return None
