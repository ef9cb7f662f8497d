# expect: contained
# about: A million events straight to the host, past the limits of the shim.
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
        for i in range(1_000_000):
            _host.event('{"event":"log","name":"n","message":%d}' % i)
        return None
