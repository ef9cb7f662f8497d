# expect: contained
# about: A generator's frame leads to builtins.
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
        def gen():
            yield gen_obj.gi_frame.f_back.f_builtins
        gen_obj = gen()
        return next(gen_obj)["open"]("@SECRET@").read()
