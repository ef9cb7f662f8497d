# expect: contained
# about: dataclasses build source text from names; a name carries code.
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
        import dataclasses
        cls = dataclasses.make_dataclass("X", [("a", "int=open('@SECRET@')", 0)])
        return None if cls().a == 0 else "run"
