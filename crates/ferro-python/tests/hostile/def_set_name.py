# expect: contained
# about: __set_name__ runs while the class is made.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hook:
    loot = None

    def __set_name__(self, owner, name):
        try:
            import io

            Hook.loot = io.open("@SECRET@").read()
        except BaseException:
            pass


class Hostile(Component):
    hook = Hook()
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" "AK: " + Hook.loot if Hook.loot else "held"
