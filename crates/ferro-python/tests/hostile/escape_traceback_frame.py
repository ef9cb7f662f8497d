# expect: contained
# about: The frames of a traceback lead out of the try block.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        try:
            loot = self.go()
        except BaseException:
            return "held"
        return "LE" "AK: " + str(loot)[:200] if loot else "held"

    def go(self):
        try:
            raise ValueError
        except ValueError as e:
            tb = e.__traceback__
            return tb.tb_frame.f_back.f_builtins["open"]("@SECRET@").read()
