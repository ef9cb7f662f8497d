# expect: error
# about: Loops and catches everything that might stop it.
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
                while time.monotonic() < end:
                    pass
            except BaseException:
                continue
        return "LE" "AK: ran for a minute"
