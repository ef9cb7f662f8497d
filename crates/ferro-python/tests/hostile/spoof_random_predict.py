# expect: contained
# about: Two workers of one nursery must not share their random numbers; the first of this one is reported.
# returns: {"$re": "^[0-9a-f]{16}$"}
# twice: differ
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import random
        return f"{random.getrandbits(64):016x}"
