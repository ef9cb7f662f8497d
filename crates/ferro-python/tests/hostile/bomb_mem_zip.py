# expect: error
# about: A small compressed block that unpacks to two gigabytes.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import zlib
        c = zlib.compressobj(9)
        block = bytes(1 << 20)
        packed = b"".join(c.compress(block) for _ in range(2048)) + c.flush()
        return "LE" f"AK: {len(zlib.decompress(packed))}"
