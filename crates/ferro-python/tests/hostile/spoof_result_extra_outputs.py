# expect: contained
# about: Patches the runtime to answer for outputs it does not have and with extra keys.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import ferro_shim.runtime as runtime
        import json
        def handle(text):
            return json.dumps({"result": {"outputs": {"out": "x", "other": {"$type": "Live", "ref": 1}, "__proto__": {}}, "stopped": ["nothing", 5], "status": None, "admin": True}, "error": None})
        runtime.handle = handle
        return "held"
