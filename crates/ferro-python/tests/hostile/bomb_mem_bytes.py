# expect: error
# about: One block of two gigabytes.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        b = bytearray(2 << 30)
        b[::4096] = b"x" * len(b[::4096])
        return "LE" f"AK: {len(b)}"
