# expect: contained
# about: Returns a str whose methods are overridden, to confuse who handles the result.
# returns: {"$re": "held|x"}
from lfx.custom import Component
from lfx.io import Output
from io import open as _open


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class Sly(str):
            def __str__(self):
                return _open("@SECRET@").read()
            encode = __len__ = __iter__ = __getitem__ = __eq__ = lambda self, *a: _open("@SECRET@").read()
            __hash__ = None
        return Sly("held")
