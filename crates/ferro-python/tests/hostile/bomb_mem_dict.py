# expect: error
# about: A dictionary that grows and catches the errors on the way.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        d = {}
        for i in range(20_000_000):
            try:
                d[i] = [i]
            except MemoryError:
                pass
        return "LE" f"AK: {len(d)}"
