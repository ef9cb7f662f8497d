# expect: contained
# about: A string annotation that is code, for who evaluates it to find the type.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output

LOOT = []


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> "LOOT.append(__import__('io').open('@SECRET@').read())":
        return "LE" "AK: " + LOOT[0] if LOOT else "held"
