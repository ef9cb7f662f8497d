# expect: contained
# about: Errors whose text and cause run code when the runtime looks at them.
from lfx.custom import Component
from lfx.io import Output
from io import open as _open

class Angry(Exception):
    def __str__(self):
        return _open("@SECRET@").read()

    __repr__ = __str__

class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        raise Angry() from Angry()
