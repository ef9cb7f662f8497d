# expect: error
# about: Turns the collector off and makes cycles.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import gc
        gc.disable()
        for _ in range(3_000_000):
            a = [bytearray(1000)]
            a.append(a)
        return "LE" "AK: 3 GB of garbage"
