# expect: error
# about: Sleeps in pieces and goes on whatever is raised.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import time
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                time.sleep(0.2)
            except BaseException:
                pass
        return "LE" "AK: slept for a minute"
