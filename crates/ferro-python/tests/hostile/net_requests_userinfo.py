# expect: contained
# about: Addresses that read as one host and lead to another.
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
        for url in ("http://example.com@127.0.0.1:@PORT@/", "http://127.0.0.1:@PORT@#@example.com/", "http://example.com\\@127.0.0.1:@PORT@/", "http://127.0.0.1:@PORT@\t.example.com/", "http://127。0。0。1:@PORT@/", "http://①②⑦.⓪.⓪.①:@PORT@/"):
            try:
                return requests.get(url, timeout=2).text
            except Exception:
                continue
