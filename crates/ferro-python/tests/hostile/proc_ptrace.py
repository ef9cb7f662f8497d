# expect: refused
# about: Attaches to its parent through libc.
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
        import ctypes
        import os
        libc = ctypes.CDLL(None, use_errno=True)
        ppid = os.getppid()
        if ppid > 0 and libc.ptrace(16, ppid, 0, 0) == 0:
            libc.ptrace(17, ppid, 0, 0)
            return "attached"
