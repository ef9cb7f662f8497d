# expect: error
# about: Hashes a deeply nested tuple.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        a = ()
        for _ in range(200_000):
            a = (a,)
        return str(hash(a))
