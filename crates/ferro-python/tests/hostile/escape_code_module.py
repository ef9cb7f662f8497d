# expect: refused
# about: The code module runs source text.
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
        import code
        shell = code.InteractiveInterpreter()
        shell.runsource("loot = open('@SECRET@').read()")
        return shell.locals.get("loot")
