# expect: contained
# about: A thread that goes on after the result and speaks to the host.
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
        import _host
        gone = []
        def late():
            time.sleep(0.3)
            while gone and len(gone) < 20:
                gone.append(True)
                time.sleep(0.01)
                _host.event('{"event":"log","name":"late","message":"' + "LE" + "AK" + ' from a thread"}')
        threading.Thread(target=late, daemon=True).start()
        gone.append(True)
        return None
