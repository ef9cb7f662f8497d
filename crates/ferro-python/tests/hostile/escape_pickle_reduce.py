# expect: refused
# about: Unpickles an object whose __reduce__ calls a shell.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        try:
            loot = self.go()
        except BaseException:
            return "held"
        return "LE" "AK: " + str(loot)[:200] if loot else "held"

    def go(self):
        import os
        import pickle
        class Boom:
            def __reduce__(self):
                return (os.system, ("echo x > @DIR@/pickle",))
        return pickle.loads(pickle.dumps(Boom())) == 0
