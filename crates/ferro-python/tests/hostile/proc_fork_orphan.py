# expect: contained
# about: Forks a child that would outlive the worker.
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
        import time
        pid = os.fork()
        if pid == 0:
            os.setsid()
            time.sleep(20)
            os._exit(0)
        return pid
