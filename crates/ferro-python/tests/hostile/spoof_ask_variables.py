# expect: contained
# about: Asks for variables the node was never granted.
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
        for name in ("OPENAI_API_KEY", "FERROFLOW_MASTER_KEY", "PATH", "", "*", "%", "a' OR '1'='1", "../X", "x" * 100_000, "\0"):
            try:
                reply = json.loads(_host.call(json.dumps({"ask": "variable", "name": name})))
            except Exception:
                continue
            if reply.get("ok"):
                return name
