# expect: contained
# about: Closes every descriptor, the runtime's too.
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
        os.closerange(0, 1024)
        for fd in range(256):
            try:
                os.close(fd)
            except OSError:
                pass
        return None
