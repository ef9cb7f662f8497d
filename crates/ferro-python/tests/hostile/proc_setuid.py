# expect: contained
# about: Becomes another user.
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
        os.setuid(0)
        os.setgid(0)
        os.setgroups([0])
        if os.geteuid() == 0 and os.stat("/etc/shadow"):
            return "root with files"
