# expect: contained
# about: Replaces json, which the runtime speaks with: it may lie about its own result, not about the next.
# returns: {"$re": "^(held|poisoned)$"}
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import json
        json.dumps = lambda *a, **k: '{"result":{"outputs":{"out":"poisoned"}}}'
        json.loads = lambda *a, **k: {"do": "ping"}
        json.JSONEncoder.encode = json.dumps
        return "held"
