# expect: contained
# about: requests with schemes that are not HTTP.
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
        for url in ("file://@SECRET@", "gopher://127.0.0.1:@PORT@/_x", "ftp://127.0.0.1/", "dict://127.0.0.1:@PORT@/", "unix:///var/run/docker.sock", "data:text/plain,hello", "javascript:alert(1)", "//127.0.0.1:@PORT@/", "http:///etc/passwd", "HTTP+UNIX://x"):
            try:
                return requests.get(url, timeout=2).text
            except Exception:
                continue
