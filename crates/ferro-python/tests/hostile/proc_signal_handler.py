# expect: error
# about: Ignores the signals that would stop it and loops.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import time
        try:
            import signal
            for s in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, signal.SIGALRM):
                try:
                    signal.signal(s, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
        except ImportError:
            pass
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
        return "LE" "AK: ran for a minute"
