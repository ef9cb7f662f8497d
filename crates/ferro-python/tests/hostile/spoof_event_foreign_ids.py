# expect: contained
# about: Messages and tokens under ids of other people's messages.
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
        for ident in ("", "0", "00000000-0000-0000-0000-000000000000", "../x", "x" * 10_000, "' OR 1=1 --", "\u202e"):
            try:
                import json
                _host.event(json.dumps({"event": "token", "id": ident, "text": "t"}))
                _host.event(json.dumps({"event": "message", "id": ident, "message": {"$type": "Message", "text": "m", "sender": "User", "session_id": "another-session", "flow_id": "x"}}))
            except Exception:
                pass
        return None
