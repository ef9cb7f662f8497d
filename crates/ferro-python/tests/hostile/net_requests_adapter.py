# expect: contained
# about: Mounts an adapter of its own that would speak to a socket.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output
from io import open as _open


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
        s = requests.Session()
        class Adapter:
            def send(self, *a, **k):
                return _open("@SECRET@").read()
        s.mount("https://", Adapter())
        r = s.get("https://example.com/")
        return r if isinstance(r, str) else r.text
