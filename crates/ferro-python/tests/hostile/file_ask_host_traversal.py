# expect: contained
# about: Asks the host for files the node was never given, with many spellings.
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
        for path in ("/etc/passwd", "../../../../etc/passwd", "..\\..\\etc\\passwd", "file:///etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "u1/../../x", "", ".", "a\0b", "@SECRET@", "C:\\Windows\\win.ini"):
            reply = json.loads(_host.call(json.dumps({"ask": "file", "path": path})))
            if reply.get("ok"):
                return path
