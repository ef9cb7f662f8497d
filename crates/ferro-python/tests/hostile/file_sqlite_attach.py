# expect: contained
# about: Attaches a file to a database in memory.
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
        import sqlite3
        db = sqlite3.connect(":memory:")
        db.execute("attach '@DIR@/attached.sqlite' as a")
        db.execute("create table a.t(x)")
        return "created"
