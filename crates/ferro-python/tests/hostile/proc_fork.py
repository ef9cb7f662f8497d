# expect: contained
# about: Forks fifty children that end at once.
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
        made = 0
        for _ in range(50):
            pid = os.fork()
            if pid == 0:
                os._exit(0)
            made += 1
            os.waitpid(pid, 0)
        return made
