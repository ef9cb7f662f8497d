# expect: contained
# about: Builds a function from a code type found without naming it.
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
        import types
        code = (lambda: 0).__getattribute__("__co" + "de__")
        forged = code.replace(co_stacksize=0, co_code=b"\x97\x00" + b"\x64\x7f" * 40 + b"\x53\x00", co_consts=(None,), co_names=())
        types.FunctionType(forged, {})()
