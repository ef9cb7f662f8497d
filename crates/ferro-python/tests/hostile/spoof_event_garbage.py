# expect: contained
# about: Events that are no JSON, or not what they should be.
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
        for text in ("", " ", "null", "[]", "5", '"x"', "{", "{}", '{"event":null}', '{"event":"nope"}', '{"event":"log"}', '{"event":"token","id":5,"text":[]}', '{"event":"progress","value":"x"}', '{"event":"message","message":7}', "\0", "[" * 100_000, '{"event":"log","name":"' + "n" * 100_000 + '","message":1}'):
            try:
                _host.event(text)
            except Exception:
                pass
        for bad in (None, 5, b"{}", ["x"], object()):
            try:
                _host.event(bad)
            except Exception:
                pass
        return None
