# expect: contained
# about: __init__ runs at every look.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        try:
            import io

            self.loot = io.open("@SECRET@").read()
        except BaseException:
            self.loot = ""

    def attack(self) -> str:
        return "LE" "AK: " + self.loot if self.loot else "held"
