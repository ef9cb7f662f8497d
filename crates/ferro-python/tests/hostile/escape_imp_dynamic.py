# expect: contained
# about: Loads a shared library through _imp.create_dynamic.
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
        import _imp
        import types
        spec = types.SimpleNamespace(name="libc", origin="/lib/x86_64-linux-gnu/libc.so.6")
        return _imp.create_dynamic(spec)
