# expect: error
# about: Aborts, which would leave a core dump.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import os
        os.abort()
        raise RuntimeError("still alive")
