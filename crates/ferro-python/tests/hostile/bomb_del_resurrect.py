# expect: contained
# about: __del__ brings its object back and loops.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output

KEEP = []


class Zombie:
    def __del__(self):
        KEEP.append(self)
        for _ in range(1000):
            KEEP.append(Zombie)

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
        for _ in range(1000):
            Zombie()
        return None
