# expect: error
# about: __getattr__ that asks for itself.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class Loop:
            def __getattr__(self, name):
                return getattr(self, name + "x")
        return Loop().a
