# expect: contained
# about: __init_subclass__ runs while the class is made.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output

LOOT = []


class Base(Component):
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        try:
            import io

            LOOT.append(io.open("@SECRET@").read())
        except BaseException:
            pass


class Hostile(Base):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" "AK: " + LOOT[0] if LOOT else "held"
