# expect: contained
# about: A format string digs for environment variables through str.format_map.
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
        class Ask(dict):
            def __missing__(self, key):
                return self
        text = "{c.__class__.__init__.__globals__[state].__dict__}".format_map({"c": self})
        return "x" if "API_KEY" in text or "SECRET" in text.upper() else None
