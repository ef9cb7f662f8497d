# expect: contained
# about: Puts back whatever the sandbox may have taken from builtins, out of a fresh copy.
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
        import builtins
        import io
        for name in ("open", "exec", "eval"):
            if not hasattr(builtins, name):
                setattr(builtins, name, getattr(io, name, None))
        return builtins.open("@SECRET@").read()
