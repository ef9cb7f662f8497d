# expect: contained
# about: Finds who holds this code and reads what else it holds.
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
        import gc
        for holder in gc.get_referrers(type(self)):
            if isinstance(holder, dict):
                for key in holder:
                    if isinstance(key, str) and key.isupper() and ("KEY" in key or "TOKEN" in key):
                        return key
