# expect: contained
# about: Two hundred threads that sleep.
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
        import threading
        import time
        ts = [threading.Thread(target=time.sleep, args=(0.5,), daemon=True) for _ in range(200)]
        alive = 0
        for t in ts:
            t.start()
            alive += t.is_alive()
        return f"{alive} threads" if alive > 64 else None
