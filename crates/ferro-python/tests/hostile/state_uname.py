# expect: contained
# about: Names of the machine and of its user.
# note: kernel and machine kind are no secret; the host's name and user are
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
        import platform
        name = platform.node() or os.uname().nodename
        try:
            import getpass
            user = getpass.getuser()
        except Exception:
            user = ""
        return user if user and user not in ("nobody", "root", "worker") else None
