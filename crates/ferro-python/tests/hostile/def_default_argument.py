# expect: contained
# about: A default argument is computed at definition.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


def grab():
    try:
        import io

        return "LE" "AK: " + io.open("@SECRET@").read()
    except BaseException:
        return "held"


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self, loot=grab()) -> str:
        return loot
