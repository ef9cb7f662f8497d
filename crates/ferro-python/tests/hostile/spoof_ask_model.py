# expect: contained
# about: Uses live references it was never given.
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
        for ref in (0, 1, -1, 2 ** 63, 1.5, "1", None, [1], True):
            try:
                reply = json.loads(_host.call(json.dumps({"ask": "model", "messages": [{"role": "user", "content": "hi"}], "model": {"$type": "Live", "kind": "LanguageModel", "ref": ref}})))
            except Exception:
                continue
            if reply.get("ok"):
                return ref
