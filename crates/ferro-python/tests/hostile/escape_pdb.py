# expect: contained
# about: pdb runs commands of whoever is on standard input.
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
        import pdb
        import io
        box = []
        pdb.Pdb(stdin=io.StringIO("c\n"), stdout=io.StringIO()).run("box.append(open('@SECRET@').read())", {"box": box})
        return box and box[0]
