# expect: contained
# about: Looks through every object alive for files, sockets and secrets.
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
        import gc
        found = []
        for obj in gc.get_objects():
            name = type(obj).__name__
            if name in ("socket", "FileIO", "BufferedReader", "BufferedWriter", "TextIOWrapper"):
                try:
                    obj.fileno()
                    if obj.name not in (0, 1, 2, "<stdin>", "<stdout>", "<stderr>"):
                        found.append(f"{name} {obj.name}")
                except Exception:
                    pass
        return ", ".join(found)
