# expect: contained
# about: Leaves reducers and codecs in the global tables.
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
        import copyreg
        import codecs
        copyreg.dispatch_table[str] = lambda s: (str, ("poisoned",))
        codecs.register_error("strict", lambda e: ("?", e.end))
        return None
