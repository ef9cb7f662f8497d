# expect: contained
# about: Reads on every descriptor, to steal the next request.
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
        import os
        got = []
        for fd in range(64):
            try:
                os.set_blocking(fd, False)
                data = os.read(fd, 65536)
            except OSError:
                continue
            if data:
                got.append((fd, data[:40]))
        return got
