# expect: contained
# about: Asks for random bytes with odd sizes.
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
        for n in (-1, 0, 10 ** 12, 2 ** 64, 1.5, "x", None):
            try:
                data = _host.urandom(n)
                if len(data) > 100_000_000:
                    return len(data)
            except (Exception, MemoryError):
                continue
