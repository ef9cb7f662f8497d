# expect: contained
# about: Puts an importer of its own first on sys.meta_path and hopes that the runtime imports through it.
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
        class Finder:
            asked = []
            def find_spec(self, name, path=None, target=None):
                Finder.asked.append(name)
                return None
        sys.meta_path.insert(0, Finder())
        sys.path_hooks.insert(0, lambda p: None)
        sys.path.insert(0, "@DIR@")
        import requests
        requests.get
        return [name for name in Finder.asked if "secret" in name or "key" in name]
