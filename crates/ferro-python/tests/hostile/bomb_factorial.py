# expect: error
# about: The factorial of a million, over and over.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import math
        import time
        end = time.monotonic() + 60
        while time.monotonic() < end:
            math.factorial(10 ** 6)
