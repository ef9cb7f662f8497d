# expect: contained
# about: httpx with a transport and a local address of its own.
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
        import httpx
        transport = httpx.HTTPTransport(uds="/var/run/docker.sock", local_address="0.0.0.0")
        return httpx.Client(transport=transport).get("http://docker/containers/json").text
