# expect: contained
# about: inspect.getsource of the runtime; its text is no secret, the file must not be opened through it.
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
        import inspect
        path = inspect.getsourcefile(Component) or ""
        if path.startswith("/"):
            return _open("@SECRET@").read()
