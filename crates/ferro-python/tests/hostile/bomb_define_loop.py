# expect: error
# about: The module body never ends.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output

n = 0
while True:
    n += 1


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "LE" "AK: got past it"
