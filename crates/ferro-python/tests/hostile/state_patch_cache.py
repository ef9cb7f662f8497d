# expect: contained
# about: Writes into the cache of compiled components.
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
        import gc
        for obj in gc.get_objects():
            if isinstance(obj, dict) and any(v is type(self) for v in obj.values()):
                for key in list(obj):
                    if isinstance(obj[key], type) and obj[key] is not Component:
                        obj[key] = type(self)
        return None
