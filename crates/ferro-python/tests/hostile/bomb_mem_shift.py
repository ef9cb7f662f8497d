# expect: error
# about: A shift makes an integer of two gigabytes.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        n = 1 << (16 << 30)
        return "LE" f"AK: {n.bit_length()}"
