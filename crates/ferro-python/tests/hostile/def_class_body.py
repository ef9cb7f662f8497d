# expect: contained
# about: Code in the class body.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    try:
        import io

        display_name = "LE" "AK: " + io.open("@SECRET@").read()
    except BaseException:
        display_name = "Quiet"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "held"
