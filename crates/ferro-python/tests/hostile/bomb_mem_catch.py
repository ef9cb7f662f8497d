# expect: error
# about: Catches MemoryError and asks again, for smaller blocks each time.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        keep, size = [], 1 << 30
        while size * len(keep) < 3 << 30:
            try:
                keep.append(bytearray(b"\x01" * size))
            except MemoryError:
                size = max(size // 2, 4096)
        return "LE" "AK: all of it"
