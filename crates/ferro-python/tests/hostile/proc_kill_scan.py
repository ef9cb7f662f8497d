# expect: contained
# about: Looks for processes by asking signal 0 of thousands.
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
        me = os.getpid()
        seen = []
        for pid in range(2, 30_000):
            if pid != me:
                try:
                    os.kill(pid, 0)
                    seen.append(pid)
                except OSError:
                    pass
        return seen
