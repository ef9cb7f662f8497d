# expect: refused
# about: A forbidden call inside a match guard.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        try:
            match "@SECRET@":
                case path if (loot := open(path).read()):
                    return "LE" "AK: " + loot
        except BaseException:
            pass
        return "held"
