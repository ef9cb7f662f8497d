# expect: refused
# about: Executes code that was packed with base64.
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
        import base64
        scope = {}
        exec(base64.b64decode("aW1wb3J0IG9zCng9b3MubGlzdGRpcignL2V0YycpCg=="), scope)
        return scope.get("x")
