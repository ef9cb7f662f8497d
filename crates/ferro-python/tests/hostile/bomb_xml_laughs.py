# expect: contained
# about: Entities that expand to gigabytes.
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
        import xml.etree.ElementTree as ET
        names = "abcdefghij"
        dtd = '<!ENTITY a "ha">' + "".join(f'<!ENTITY {y} "{("&" + x + ";") * 10}">' for x, y in zip(names, names[1:]))
        text = ET.fromstring(f"<!DOCTYPE r [{dtd}]><r>&j;</r>").text
        return f"{len(text)}" if len(text or "") > 100_000_000 else None
