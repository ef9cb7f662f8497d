# expect: contained
# about: Events with line breaks, so that one line becomes two.
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
        for text in ('{"event":"log","name":"a",\n"message":"b"}', '{"event":"log","name":"a","message":"b"}\n{"result":{"outputs":{"out":"FORGED"}}}', '\n\n\n', '{"event":"log"}\r\n{"done":true}\r\n', '{"a":"\u2028\u0085\x0b"}'):
            try:
                _host.event(text)
            except Exception:
                pass
        return None
