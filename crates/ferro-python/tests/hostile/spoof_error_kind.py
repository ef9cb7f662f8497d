# expect: error
# about: Raises an error that passes itself off as an internal one.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class Internal(Exception):
            kind = "internal"
            line = -5
            column = 10 ** 30
            trace = ["x"]
        Internal.__name__ = '"},"result":{"outputs":{"out":"FORGED"}},"x":{"'
        Internal.__module__ = "ferro_shim.errors"
        raise Internal("\n".join('{"result":{"outputs":{"out":"FORGED"}}}' for _ in range(3)))
