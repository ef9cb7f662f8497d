# expect: contained
# about: A format string reads attributes down to the globals of the shim.
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
        text = "{0.__class__.__init__.__globals__}".format(self)
        for word in ("HOME=", "PATH=", "/etc/passwd", "root:"):
            if word in text:
                return word
