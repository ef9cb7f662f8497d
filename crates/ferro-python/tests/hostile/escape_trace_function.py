# expect: contained
# about: sys.settrace and sys.setprofile see the runtime's own frames.
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
        import sys
        seen = []
        def trace(frame, event, arg):
            for key, value in frame.f_locals.items():
                if key in ("token", "secret", "api_key", "environ") and value:
                    seen.append(key)
            return trace
        sys.settrace(trace)
        sys.setprofile(trace)
        self.log("something")
        sys.settrace(None)
        sys.setprofile(None)
        return ",".join(seen)
