# expect: contained
# about: Reads the runtime's state for the secrets and fields of other nodes.
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
        import ferro_shim.state as state
        text = repr({k: getattr(v, "__dict__", v) for k, v in vars(state).items() if not k.startswith("__")})
        return text if "api_key" in text.lower() or "password" in text.lower() else None
