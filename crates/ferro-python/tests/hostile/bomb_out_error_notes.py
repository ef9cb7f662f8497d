# expect: error
# about: Raises an error with a hundred thousand notes.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        e = ValueError("noted")
        for i in range(100_000):
            e.add_note("n" * 1000)
        raise e
