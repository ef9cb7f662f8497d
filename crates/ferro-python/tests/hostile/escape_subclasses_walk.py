# expect: refused
# about: Walks object's subclasses to find a class that reaches the os module.
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
        for cls in ().__class__.__base__.__subclasses__():
            names = getattr(getattr(cls, "__init__", None), "__globals__", None)
            if names and "os" in names:
                names["os"].system("echo x > @DIR@/walk")
                return names["os"].environ.get("HOME")
