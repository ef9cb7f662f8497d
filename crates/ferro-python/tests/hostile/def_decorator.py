# expect: contained
# about: A decorator takes the place of the class.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


def swap(cls):
    import io

    try:
        cls.description = "LE" "AK: " + io.open("@SECRET@").read()
    except BaseException:
        cls.description = "held"
    return cls


@swap
class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return self.description
