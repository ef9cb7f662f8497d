# expect: refused
# about: A forbidden call inside an f-string inside a default.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self, path="@SECRET@") -> str:
        try:
            return "LE" f"AK: {open(path).read()!r}"
        except BaseException:
            return "held"
