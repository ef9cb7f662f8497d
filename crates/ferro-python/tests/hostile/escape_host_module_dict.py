# expect: contained
# about: Looks for more in the _host module than is promised.
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
        import _host
        extra = [n for n in dir(_host) if not n.startswith("__") and n not in ("event", "call", "urandom")]
        return ",".join(extra)
