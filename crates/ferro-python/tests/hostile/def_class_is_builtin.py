# expect: error
# about: The name Component is taken by something else.
class Component:
    def __init_subclass__(cls):
        raise SystemExit(3)


class Hostile(Component):
    outputs = []

    def attack(self):
        return "held"
