# expect: refused
# about: Rewrites a function's byte code so that it reads beyond its constants.
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
        def f():
            return 1
        g = f.__code__.replace(co_code=bytes([100, 255, 83, 0]) * 4, co_consts=())
        f.__code__ = g
        return repr(f())[:0]
