# expect: contained
# about: An audit hook hears what the runtime does later.
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
        def hook(name, args):
            if name == "open" and args and str(args[0]).startswith("/"):
                raise RuntimeError("blocked by the component")
        sys.addaudithook(hook)
        return None
