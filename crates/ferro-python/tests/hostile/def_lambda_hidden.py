# expect: refused
# about: A forbidden call inside a lambda in a class attribute.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    grab = staticmethod(lambda p: open(p).read())
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        try:
            return "LE" "AK: " + self.grab("@SECRET@")
        except BaseException:
            return "held"
