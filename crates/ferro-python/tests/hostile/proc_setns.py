# expect: contained
# about: Joins the namespaces of process 1.
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
        fd = os.open("/proc/1/ns/net", os.O_RDONLY)
        os.setns(fd, 0)
        return "joined"
