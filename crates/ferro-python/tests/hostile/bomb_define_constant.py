# expect: contained
# about: Constants the compiler itself might compute: a power and a product.
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
        if self is None:
            return 2 ** 100_000_000 * 3 ** 100_000_000
            return "x" * 4_000_000_000 + "y" * 4_000_000_000
        return None
