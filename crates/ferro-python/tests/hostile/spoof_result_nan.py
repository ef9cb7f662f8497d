# expect: contained
# about: NaN and infinities, which JSON cannot say.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        return {"nan": float("nan"), "inf": float("inf"), "neg": float("-inf"), "big": 10 ** 400, "tiny": 5e-324, "zero": -0.0}
