# expect: contained
# about: Reads the environment of processes from /proc.
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
        import io
        for pid in ("self", "1", "@PID@"):
            try:
                data = io.open(f"/proc/{pid}/environ", "rb").read()
            except OSError:
                continue
            if b"PATH=" in data or b"HOME=" in data:
                return data[:60]
