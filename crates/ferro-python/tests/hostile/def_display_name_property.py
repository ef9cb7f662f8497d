# expect: contained
# about: display_name is a property that reads a file.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    @property
    def display_name(self):
        try:
            import io

            return "LE" "AK: " + io.open("@SECRET@").read()
        except BaseException:
            return "held"

    def attack(self) -> str:
        return self.display_name
