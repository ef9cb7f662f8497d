# expect: refused
# about: Writes into the interpreter's own memory through ctypes.
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
        from ctypes import c_char, addressof
        n = 12345678901234567890
        raw = (c_char * 4).from_address(id(n) + 24)
        raw[0] = b"\xff"
        return None
