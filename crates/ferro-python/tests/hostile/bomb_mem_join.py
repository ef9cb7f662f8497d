# expect: error
# about: str.join makes one huge text from a small part.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        part = "y" * (1 << 20)
        s = part.join([part] * 1500)
        return "LE" f"AK: {len(s)}"
