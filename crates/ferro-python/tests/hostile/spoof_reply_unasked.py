# expect: contained
# about: Answers calls it never made, on the host module's own ways.
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
        for text in ('{"ok":true,"result":{"value":"x"}}', '{"id":7,"ok":true}', '{"ask":null}', '{"ask":"reply","id":1}', '{}', '[]', 'x', '{"ask":"' + "a" * 100_000 + '"}'):
            try:
                reply = json.loads(_host.call(text))
            except Exception:
                continue
            if reply.get("ok"):
                return text
