# expect: contained
# about: Climbs the stack frames to the runtime's own variables and lists what it finds there.
# returns: {"$re": "^(held|FORGED.*)$"}
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
        return "FOR" "GED: " + str(loot)[:200] if loot else "held"

    def go(self):
        import sys
        frame, seen = sys._getframe(), []
        while frame is not None:
            for key, value in list(frame.f_locals.items()):
                if "socket" in type(value).__name__.lower() or isinstance(value, (type(sys.stdout),)) and hasattr(value, "fileno"):
                    try:
                        value.fileno()
                    except Exception:
                        continue
                    seen.append(key)
            frame = frame.f_back
        return ",".join(seen)
