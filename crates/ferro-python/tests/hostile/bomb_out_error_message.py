# expect: error
# about: Raises an error whose message has fifty megabytes.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        raise ValueError("boom " * 10_000_000)
