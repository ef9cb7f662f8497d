# expect: error
# about: itertools.tee keeps everything one side has not read.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import itertools
        a, b = itertools.tee(bytes(1 << 16) + bytes([i % 256]) for i in range(40_000))
        for _ in b:
            pass
        return "LE" f"AK: {next(a)[:1]}"
