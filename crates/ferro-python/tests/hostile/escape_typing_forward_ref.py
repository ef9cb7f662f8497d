# expect: contained
# about: typing.get_type_hints evaluates string annotations.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output
from io import open as _open


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
        import typing
        box = []
        def f(x: "box.append(_open('@SECRET@').read())"):
            pass
        typing.get_type_hints(f, globals(), {"box": box})
        return box and box[0]
