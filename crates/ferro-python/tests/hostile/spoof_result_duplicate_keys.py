# expect: contained
# about: A dict whose keys are equal once they are text.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        class K(str):
            def __hash__(self):
                return id(self)
            def __eq__(self, other):
                return self is other
        return {1: "a", "1": "b", True: "c", None: "d", "null": "e", K("x"): "f", K("x"): "g", 1.0: "h"}
