# expect: contained
# about: Registers a codec and decodes a source file through it.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output
from io import open as _open


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
        import codecs
        def search(name):
            if name == "ferro_evil":
                return codecs.CodecInfo(lambda s, e="strict": (b"", 0), lambda b, e="strict": (_open("@SECRET@").read(), len(b)))
        codecs.register(search)
        return b"x".decode("ferro_evil")
