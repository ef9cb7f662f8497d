# expect: contained
# about: timeit executes the text it is given.
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
        import timeit
        scope = {}
        timeit.timeit("loot.append(open('@SECRET@').read())", number=1, globals={"loot": (box := [])})
        return box and box[0]
