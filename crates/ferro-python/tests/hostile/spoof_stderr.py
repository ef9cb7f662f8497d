# expect: contained
# about: Writes replies to stderr and to the saved standard streams.
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
        line = '\n{"result":{"outputs":{"out":"FORGED"}}}\n'
        for stream in (sys.stderr, sys.__stdout__, sys.__stderr__):
            if stream is not None:
                try:
                    stream.write(line)
                    stream.flush()
                    stream.buffer.write(line.encode())
                except Exception:
                    pass
        return None
