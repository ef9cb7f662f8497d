# expect: refused
# about: The import stands inside a nested function and in a try.
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
        def deep():
            try:
                import subprocess as s
            except ImportError:
                s = None
            return s.getoutput("id")
        return deep()
