# expect: contained
# about: Closes the captured output.
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
        for stream in (sys.stdout, sys.stderr, sys.stdin, sys.__stdout__, sys.__stderr__):
            try:
                stream.close()
            except Exception:
                pass
        del sys.stdout
        return None
