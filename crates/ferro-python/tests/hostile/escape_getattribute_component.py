# expect: contained
# about: __getattribute__ of the component runs while the runtime handles it.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output
from io import open as _open

SEEN = []


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def __getattribute__(self, name):
        if not SEEN:
            SEEN.append(name)
            try:
                SEEN.append(_open("@SECRET@").read())
            except BaseException:
                pass
        return object.__getattribute__(self, name)

    def attack(self) -> str:
        return "LE" "AK: " + SEEN[1] if len(SEEN) > 1 else "held"
