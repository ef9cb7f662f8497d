# expect: contained
# about: An annotation is evaluated when the function is made, or when it is read.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output

LOOT = []


def grab():
    try:
        import io

        LOOT.append(io.open("@SECRET@").read())
    except BaseException:
        pass
    return str


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]
    field: grab() = None

    def attack(self, x: grab() = None) -> grab():
        return "LE" "AK: " + LOOT[0] if LOOT else "held"
