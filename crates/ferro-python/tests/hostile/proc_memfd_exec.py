# expect: contained
# about: Writes a program into memory and runs it.
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
        fd = os.memfd_create("x", 0)
        os.write(fd, b"#!/bin/sh\necho x > @DIR@/memfd\n")
        if (pid := os.fork()) == 0:
            getattr(os, "exec" + "v")(f"/proc/self/fd/{fd}", ["x"])
        return os.waitpid(pid, 0)[1] == 0
