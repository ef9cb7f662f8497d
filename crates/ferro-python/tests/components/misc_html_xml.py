import html
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

from lfx.custom import Component
from lfx.io import MultilineInput, Output
from lfx.schema import Data, Message


class TextOnly(HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts, self.links, self._skip = [], [], 0

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style"):
            self._skip += 1
        if tag == "a" and (href := dict(attrs).get("href")):
            self.links.append(href)

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self._skip -= 1

    def handle_data(self, data):
        if not self._skip and data.strip():
            self.parts.append(data.strip())


class Markup(Component):
    display_name = "Markup"
    inputs = [
        MultilineInput(name="page", display_name="HTML", value="<p>Hi <b>you</b> &amp; me</p><script>x()</script><a href='/z'>go</a>"),
        MultilineInput(name="feed", display_name="XML", value="<r><i id='1'>a</i><i id='2'>b</i></r>"),
    ]
    outputs = [Output(name="text", display_name="Text", method="text"), Output(name="items", display_name="Items", method="items")]

    def text(self) -> Message:
        p = TextOnly()
        p.feed(self.page)
        return Message(text=" ".join(p.parts) + html.escape(" <" + ",".join(p.links) + ">"))

    def items(self) -> Data:
        try:
            root = ET.fromstring(self.feed)
        except ET.ParseError as e:
            raise ValueError(f"bad XML: {e}") from None
        return Data(data={i.get("id"): i.text for i in root.iter("i")})
