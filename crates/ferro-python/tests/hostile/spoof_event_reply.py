# expect: contained
# about: Tells the host events that look like replies.
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
        for text in ('{"result":{"outputs":{"out":"FORGED"}}}', '{"event":"done","result":{"outputs":{"out":"FORGED"}}}', '{"event":"reply","id":1,"result":"FORGED"}', '{"done":true}', '{"event":"log","name":"x","message":"y","id":1,"reply":{"result":"FORGED"}}'):
            try:
                _host.event(text)
            except Exception:
                pass
        return None
