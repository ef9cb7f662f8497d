# expect: contained
# about: Changes Component and Output for whoever comes next.
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
        Component.log = lambda self, *a, **k: None
        Component.display_name = "Poisoned"
        Component._fill = lambda self, fields: None
        Output.__init__ = lambda self, *a, **k: None
        return None
