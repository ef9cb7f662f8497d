# expect: contained
# about: Ten thousand requests in a row.
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
        import requests
        n = 0
        for i in range(10_000):
            try:
                requests.get(f"https://example.com/{i}", timeout=0.01)
                n += 1
            except Exception:
                pass
        return n
