# expect: error
# about: Appends to a list until there is no memory.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        keep = []
        for _ in range(3000):
            keep.append(bytearray(b"x" * (1 << 20)))
        return "LE" "AK: 3 GiB"
