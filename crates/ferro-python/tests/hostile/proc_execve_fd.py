# expect: contained
# about: Executes through a descriptor of /proc/self/exe.
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
        fd = os.open("/bin/sh", os.O_RDONLY)
        getattr(os, "exe" + "cve")(fd, ["sh", "-c", "echo x > @DIR@/execfd"], {})
