# expect: contained
# about: Writes and extracts archives on disk.
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
        import zipfile
        with zipfile.ZipFile("@DIR@/z.zip", "w") as z:
            z.writestr("../../evil", "x")
        return "created"
