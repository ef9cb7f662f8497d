# expect: contained
# about: A pool of many workers through concurrent.futures.
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
        import concurrent.futures as cf
        import threading
        import time
        with cf.ThreadPoolExecutor(max_workers=200) as pool:
            list(pool.map(lambda _: time.sleep(0.3), range(200)))
            n = threading.active_count()
        return f"{n} threads" if n > 64 else None
