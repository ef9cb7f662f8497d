# expect: contained
# about: The same walk, with every name hidden from a scan in pieces.
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
        get = lambda o, *n: getattr(o, "".join(("_", "_", *n, "_", "_")))
        for cls in get(get(get((), "cl", "ass"), "ba", "se"), "sub", "classes")():
            init = getattr(cls, "_" * 2 + "init" + "_" * 2, None)
            scope = getattr(init, "_" * 2 + "glob" + "als" + "_" * 2, None) or {}
            mod = scope.get("os") or getattr(scope.get("sys"), "mod" + "ules", {}).get("os")
            if mod is not None:
                return mod.read(mod.open("@SECRET@", 0), 100).decode()
