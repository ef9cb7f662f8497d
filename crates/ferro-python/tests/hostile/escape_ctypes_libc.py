# expect: refused
# about: Calls the C library through ctypes.
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
        import ctypes
        libc = ctypes.CDLL(None)
        fd = libc.open(b"@SECRET@", 0)
        buf = ctypes.create_string_buffer(64)
        return libc.read(fd, buf, 64) > 0 and buf.value
