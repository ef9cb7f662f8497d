# expect: contained
# about: Line breaks in headers, methods and addresses.
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
        for kw in ({"headers": {"X": "a\r\nHost: evil"}}, {"headers": {"X\r\nY": "a"}}, {"headers": {"Host": "127.0.0.1"}}, {"headers": {"Content-Length": "0", "Transfer-Encoding": "chunked"}}):
            try:
                return requests.get("http://127.0.0.1:@PORT@/", timeout=2, **kw).text
            except Exception:
                pass
        try:
            return requests.request("GET / HTTP/1.1\r\nX: y\r\n\r\nPOST", "http://127.0.0.1:@PORT@/").text
        except Exception:
            pass
        return requests.get("http://127.0.0.1:@PORT@/ HTTP/1.1\r\nX: y").text
