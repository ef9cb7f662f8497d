# expect: contained
# about: A log handler that sends to the network.
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
        import logging.handlers
        h = logging.handlers.SocketHandler("127.0.0.1", int("@PORT@"))
        h.emit(logging.makeLogRecord({"msg": "x"}))
        return "sent" if h.sock else None
