# expect: contained
# about: An XML external entity names a local file.
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
        import xml.sax
        import io
        class H(xml.sax.ContentHandler):
            text = ""
            def characters(self, s):
                self.text += s
        h = H()
        p = xml.sax.make_parser()
        p.setFeature(xml.sax.handler.feature_external_ges, True)
        p.setContentHandler(h)
        p.parse(io.StringIO('<!DOCTYPE r [<!ENTITY x SYSTEM "file://@SECRET@">]><r>&x;</r>'))
        return h.text.strip()
