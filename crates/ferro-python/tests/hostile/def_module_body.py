# expect: contained
# about: Code in the module's body runs when the component is only looked at.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output

try:
    import io

    LOOT = io.open("@SECRET@").read()
except BaseException:
    LOOT = ""


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" "AK: " + LOOT if LOOT else "held"
