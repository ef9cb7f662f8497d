# expect: contained
# about: Starts a process through multiprocessing.
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
        import multiprocessing as mp
        p = mp.get_context("fork").Process(target=print)
        p.start()
        p.join(2)
        return p.pid
