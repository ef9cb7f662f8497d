# expect: error
# about: json.loads of a hundred thousand brackets.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import json
        return json.loads("[" * 100_000 + "]" * 100_000)
