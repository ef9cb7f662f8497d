# expect: contained
# about: Patches the shim so that the reply itself carries forged references.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import ferro_shim.wire as wire
        forged = {"$type": "Live", "kind": "LanguageModel", "ref": 99}
        wire.to_wire = lambda *a, **k: forged
        import ferro_shim.running as running
        if hasattr(running, "to_wire"):
            running.to_wire = wire.to_wire
        return "x"
