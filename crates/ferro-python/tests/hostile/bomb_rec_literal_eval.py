# expect: contained
# about: ast.literal_eval of a deep literal.
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
        import ast
        ast.literal_eval("[" * 90 + "]" * 90)
        ast.literal_eval("{0:" * 50_000 + "0" + "}" * 50_000)
