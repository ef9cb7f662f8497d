# expect: error
# about: Returns an object whose __str__ never returns.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class Slow:
            def __str__(self):
                while True:
                    pass
            __repr__ = __str__
        return Slow()
