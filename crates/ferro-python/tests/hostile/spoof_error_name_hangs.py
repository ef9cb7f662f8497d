# expect: error
# about: An error class whose name is not a text and whose args are not a tuple.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class Odd(Exception):
            def __init__(self):
                self.args = ()
            def __str__(self):
                return 5
            def __getattribute__(self, name):
                if name in ("__cause__", "__context__", "__notes__"):
                    raise SystemExit
                return super().__getattribute__(name)
        raise Odd()
