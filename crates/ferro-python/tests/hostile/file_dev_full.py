# expect: contained
# about: Opens devices: the disk, memory, the random source.
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
        import io
        for dev in ("/dev/sda", "/dev/vda", "/dev/mem", "/dev/kmsg", "/dev/fuse"):
            try:
                io.open(dev, "rb").close()
                return dev
            except OSError:
                continue
