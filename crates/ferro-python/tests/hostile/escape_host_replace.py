# expect: contained
# about: Replaces the host module's functions by its own.
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
        _host.event = lambda text: None
        _host.call = lambda text: '{"ok":true,"result":{"value":"x"}}'
        _host.urandom = lambda n: b"\0" * n
        return None
