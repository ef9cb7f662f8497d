# expect: refused
# about: A socket of the machine: the container engine's, and abstract ones.
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
        for path in ("/var/run/docker.sock", "/run/systemd/private", "\0ferro"):
            s = socket.socket(socket.AF_UNIX)
            try:
                s.connect(path)
                return path
            except OSError:
                continue
