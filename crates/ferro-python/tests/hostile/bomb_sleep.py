# expect: error
# about: Sleeps for a minute.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import time
        time.sleep(60)
        return "LE" "AK: slept for a minute"
