# expect: contained
# about: Changes objects every program shares: small ints, the empty tuple, type dictionaries.
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
        for target, name in ((int, "__add__"), (str, "upper"), (dict, "get"), (type(None), "x"), (object, "x")):
            try:
                setattr(target, name, lambda *a: "poisoned")
            except TypeError:
                continue
        return None
