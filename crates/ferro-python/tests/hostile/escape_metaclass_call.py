# expect: contained
# about: A metaclass runs code whenever the runtime makes an instance of the component.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output
from io import open as _open

LOOT = []


class Meta(type(Component)):
    def __call__(cls, *args, **kwargs):
        try:
            LOOT.append(_open("@SECRET@").read())
        except BaseException:
            pass
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, instance):
        return True


class Hostile(Component, metaclass=Meta):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" "AK: " + LOOT[0] if LOOT else "held"
