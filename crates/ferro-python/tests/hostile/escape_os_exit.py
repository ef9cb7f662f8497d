# expect: error
# about: Ends the process at once, with success, so that no reply is written.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import os
        os._exit(0)
        raise RuntimeError("there is no _exit here")
