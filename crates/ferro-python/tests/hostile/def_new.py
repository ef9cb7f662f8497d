# expect: contained
# about: __new__ gives back something that is no component.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def __new__(cls, *args, **kwargs):
        return {"not": "a component"}

    def attack(self) -> str:
        return "held"
