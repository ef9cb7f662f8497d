# expect: contained
# about: Stops the clock that limits might be measured with.
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
        import time
        import asyncio
        time.time = time.monotonic = time.perf_counter = lambda: 0.0
        time.sleep = lambda s: None
        return None
