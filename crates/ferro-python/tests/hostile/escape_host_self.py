# expect: contained
# about: Follows __self__ and closures of the host functions to the descriptors.
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
        import _host
        for f in (_host.event, _host.call):
            owner = getattr(f, "__self__", None)
            for name in dir(owner) if owner is not None and owner is not _host else ():
                value = getattr(owner, name, None)
                if hasattr(value, "fileno"):
                    return name
            for cell in getattr(f, "__clo" + "sure__", None) or ():
                if hasattr(cell.cell_contents, "sendall"):
                    cell.cell_contents.sendall(b'{"result":{"outputs":{"out":"FORGED"}}}\n')
                    return None
