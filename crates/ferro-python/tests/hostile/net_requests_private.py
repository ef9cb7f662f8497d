# expect: contained
# about: requests to private networks.
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
        for url in ("http://10.0.0.1/", "http://192.168.1.1/", "http://172.16.0.1/", "http://100.64.0.1/", "http://[fe80::1]/", "http://[fc00::1]/", "http://224.0.0.1/", "http://255.255.255.255/"):
            try:
                return requests.get(url, timeout=2).text
            except Exception:
                continue
