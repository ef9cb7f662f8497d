# expect: contained
# about: Registers odd classes with the abstract bases.
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
        import collections.abc as abc
        import numbers
        abc.Mapping.register(str)
        abc.Iterator.register(str)
        numbers.Number.register(str)
        return None
