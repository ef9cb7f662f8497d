# expect: error
# about: Raises an error with ten thousand causes.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        last = None
        for i in range(10_000):
            e = ValueError(f"cause {i}")
            e.__cause__ = last
            last = e
        raise last
