# expect: contained
# about: Returns a dict subclass whose items never end the same way twice.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class Sly(dict):
            n = 0
            def items(self):
                Sly.n += 1
                return [("a", Sly()), ("$type", "Live"), ("ref", 1)] if Sly.n < 500 else []
            keys = __iter__ = lambda self: iter(["$type"])
            def __len__(self):
                return -1
        return Sly(a=1)
