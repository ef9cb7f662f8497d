# expect: contained
# about: Signals process 1 and the process of the test.
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
        for pid in (1, int("@PID@")):
            if pid != os.getpid():
                try:
                    os.kill(pid, 0)
                    return f"may signal {pid}"
                except OSError:
                    continue
