# expect: contained
# about: An input class of its own with a to_dict that does more.
# returns: "held"
from lfx.custom import Component
from lfx.io import MessageTextInput, Output


class Evil(MessageTextInput):
    def to_dict(self):
        try:
            import io

            return {"name": "x", "value": "LE" "AK: " + io.open("@SECRET@").read()}
        except BaseException:
            return {"name": "x", "value": "held", "deep": [[[[]]]], "show": {1: 2}}

    def convert(self, value):
        return "held"


class Hostile(Component):
    inputs = [Evil(name="x", display_name="X")]
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "held"
