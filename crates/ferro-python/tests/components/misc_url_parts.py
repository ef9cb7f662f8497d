from urllib.parse import parse_qs, quote, unquote, urlencode, urljoin, urlparse, urlunparse

from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema import Data


class UrlParts(Component):
    display_name = "URL Parts"
    inputs = [MessageTextInput(name="url", display_name="URL", value="https://user@host.example:8443/a/b%20c?q=1&q=2&e=#frag")]
    outputs = [Output(name="parts", display_name="Parts", method="split_url")]

    def split_url(self) -> Data:
        u = urlparse(self.url)
        if u.scheme not in ("http", "https"):
            raise ValueError(f"scheme {u.scheme!r} is not supported")
        clean = urlunparse(u._replace(netloc=u.hostname or "", fragment="", query=urlencode({"x": "é&"})))
        return Data(data={"host": u.hostname, "port": u.port, "path": unquote(u.path), "query": parse_qs(u.query), "clean": clean, "up": urljoin(self.url, "../z"), "quoted": quote("a b/ü")})
