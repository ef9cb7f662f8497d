# expect: contained
# about: Freeing a chain of a million objects recurses in the interpreter's own stack.
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
        class Node:
            __slots__ = ("next",)
        head = None
        for _ in range(300_000):
            n = Node()
            n.next = head
            head = n
        head = n = None
        return None
