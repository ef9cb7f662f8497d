# expect: contained
# about: Maps a file into memory.
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
        import mmap
        import os
        fd = os.open("@SECRET@", os.O_RDONLY)
        return mmap.mmap(fd, 0, prot=mmap.PROT_READ)[:].decode()
