# expect: refused
# about: Makes socket objects of descriptors it may have inherited.
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
        import socket
        for fd in range(3, 64):
            try:
                s = socket.socket(fileno=fd)
                if s.family in (socket.AF_INET, socket.AF_INET6):
                    return s.getpeername()
            except OSError:
                continue
