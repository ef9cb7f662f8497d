# expect: error
# about: Kills itself with SIGKILL: the pool must survive and say so.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import os
        import signal
        os.kill(os.getpid(), signal.SIGKILL)
        raise RuntimeError("still alive")
