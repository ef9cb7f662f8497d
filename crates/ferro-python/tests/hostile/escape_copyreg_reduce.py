# expect: contained
# about: copy.copy calls __reduce_ex__, which names a function of the os module.
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
        import copy
        import os
        class Boom:
            def __reduce_ex__(self, _):
                return (getattr(os, "sys" + "tem"), ("echo x > @DIR@/copy",))
        return copy.copy(Boom()) == 0
