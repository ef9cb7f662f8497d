# expect: contained
# about: Asks the host for HTTP directly, with fields of the wrong kinds.
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
        import _host
        import json
        for ask in ({"ask": "http"}, {"ask": "http", "method": 5, "url": []}, {"ask": "http", "method": "GET", "url": "http://127.0.0.1:@PORT@/", "headers": "x"}, {"ask": "http", "method": "GET", "url": "http://127.0.0.1:@PORT@/", "headers": [["a"]], "timeout": -1}, {"ask": "http", "method": "GET", "url": "http://127.0.0.1:@PORT@/", "headers": [], "body_b64": "!!", "timeout": 1e308, "follow": "yes"}):
            try:
                reply = json.loads(_host.call(json.dumps(ask)))
            except Exception:
                continue
            if reply.get("ok"):
                return ask
