# expect: error
# about: __del__ never returns.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class Stuck:
            def __del__(self):
                while True:
                    pass
        Stuck()
        return "held"
