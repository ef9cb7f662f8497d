# expect: error
# about: A dictionary whose keys all hash alike.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class Same:
            def __hash__(self):
                return 1
            def __eq__(self, other):
                return self is other
        d = {Same(): i for i in range(200_000)}
        return "held" if d else None
