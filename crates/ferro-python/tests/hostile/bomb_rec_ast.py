# expect: contained
# about: ast.parse of deep nesting, which has crashed interpreters.
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
        for text in ("(" * 5000 + ")" * 5000, "-" * 200_000 + "1", "a" + ".b" * 100_000, "[" * 3000, "lambda:" * 50_000 + "1"):
            try:
                ast.parse(text)
            except (SyntaxError, RecursionError, MemoryError):
                pass
        return None
