# expect: refused
# about: Unpickles bytes that name posix.system directly.
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
        from pickle import loads
        return loads(b"cposix\nsystem\n(S'echo x > @DIR@/pickle2'\ntR.") == 0
