# expect: contained
# about: A descriptor's __get__ is run by the runtime while it reads the class.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output
from io import open as _open


class Sneaky:
    loot = None

    def __get__(self, instance, owner):
        try:
            Sneaky.loot = _open("@SECRET@").read()
        except BaseException:
            pass
        return "Sneaky"


class Hostile(Component):
    display_name = Sneaky()
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" "AK: " + Sneaky.loot if Sneaky.loot else "held"
