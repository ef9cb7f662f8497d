# expect: contained
# about: requests to addresses of this machine, in many spellings.
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
        for host in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "0", "127.1", "2130706433", "0x7f000001", "017700000001", "[::ffff:127.0.0.1]", "[::]", "localtest.me"):
            try:
                r = requests.get(f"http://{host}:@PORT@/", timeout=2)
                return f"{host} {r.status_code}"
            except Exception:
                continue
