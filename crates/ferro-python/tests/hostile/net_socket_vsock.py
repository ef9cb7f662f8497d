# expect: refused
# about: A socket to the host of the virtual machine.
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
        s = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
        s.settimeout(1)
        s.connect((2, 1234))
        return "connected"
