"""HTTP through the host: what `requests` and `httpx` share."""

import base64
import json as _json
from urllib.parse import quote, unquote, urlencode, urljoin, urlparse  # noqa: F401 - passed on to the two APIs

from .errors import unsupported
from .events import ask, new_id

REASONS = {
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently", 302: "Found", 304: "Not Modified",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict",
    410: "Gone", 422: "Unprocessable Entity", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
}


class Headers(dict):
    """Names compare without regard to case; setting a name replaces it."""

    def __init__(self, given=None):
        super().__init__()
        self._real = {}
        self._many = {}
        if given:
            pairs = given.items() if hasattr(given, "items") else given
            for name, value in pairs:
                self.add(name, value)

    def add(self, name, value):
        name, value = str(name), value.decode("latin-1") if isinstance(value, bytes) else str(value)
        low = name.lower()
        if low in self._real:
            self._many[low].append(value)
            super().__setitem__(self._real[low], ", ".join(self._many[low]))
        else:
            self._real[low] = name
            self._many[low] = [value]
            super().__setitem__(name, value)

    def __setitem__(self, name, value):
        if name in self:
            del self[name]
        self.add(name, value)

    def __getitem__(self, name):
        try:
            return super().__getitem__(self._real[name.lower()])
        except KeyError:
            raise KeyError(name) from None

    def __delitem__(self, name):
        low = name.lower()
        self._many.pop(low)
        super().__delitem__(self._real.pop(low))

    def __contains__(self, name):
        return isinstance(name, str) and name.lower() in self._real

    def get(self, name, default=None):
        return self[name] if name in self else default

    def setdefault(self, name, default=None):
        if name not in self:
            self[name] = default
        return self[name]

    def pop(self, name, *default):
        if name not in self:
            if default:
                return default[0]
            raise KeyError(name)
        value = self[name]
        del self[name]
        return value

    def update(self, given=(), **more):
        for name, value in (given.items() if hasattr(given, "items") else given):
            if value is not None:
                self[name] = value
        for name, value in more.items():
            self[name] = value

    def get_list(self, name):
        return list(self._many.get(name.lower(), []))

    def multi_items(self):
        return [(self._real[low], v) for low, values in self._many.items() for v in values]

    def copy(self):
        return Headers(self.multi_items())


class AuthBase:
    def __call__(self, request):
        return request


class BasicAuth(AuthBase):
    def __init__(self, username="", password=""):
        self.username, self.password = username, password

    def __call__(self, request):
        raw = f"{self.username}:{self.password}".encode()
        request.headers["Authorization"] = "Basic " + base64.b64encode(raw).decode("ascii")
        return request


class BearerAuth(AuthBase):
    def __init__(self, token=""):
        self.token = token

    def __call__(self, request):
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request


class HTTPDigestAuth(AuthBase):
    def __init__(self, *_args):
        raise unsupported("HTTP digest authentication")


class Prepared:
    """A request as it is sent."""

    def __init__(self, method, url, headers, body):
        self.method, self.url, self.headers, self.body = method, url, headers, body

    @property
    def content(self):
        return self.body if isinstance(self.body, bytes) else (self.body or "").encode()


def with_params(url, params):
    if not params:
        return url
    if isinstance(params, (str, bytes)):
        query = params.decode() if isinstance(params, bytes) else params
    else:
        pairs = params.items() if hasattr(params, "items") else params
        clean = []
        for key, value in pairs:
            for item in value if isinstance(value, (list, tuple, set)) else [value]:
                if item is not None:
                    clean.append((key, str(item).lower() if isinstance(item, bool) else item))
        query = urlencode(clean)
    if not query:
        return url
    head, hash_mark, fragment = url.partition("#")
    return head + ("&" if "?" in head else "?") + query + hash_mark + fragment


def _multipart(data, files):
    edge = "form-" + new_id()
    parts = []

    def part(name, value, extra="", kind=None):
        head = f'--{edge}\r\nContent-Disposition: form-data; name="{_quoted(name)}"{extra}\r\n'
        if kind:
            head += f"Content-Type: {kind}\r\n"
        parts.append(head.encode() + b"\r\n" + value + b"\r\n")

    for name, value in (data.items() if hasattr(data, "items") else data or []):
        for item in value if isinstance(value, (list, tuple)) else [value]:
            part(name, item if isinstance(item, bytes) else str(item).encode())
    for name, given in files.items() if hasattr(files, "items") else files:
        file_name, content, kind = name, given, None
        if isinstance(given, (list, tuple)):
            file_name, content = given[0], given[1]
            kind = given[2] if len(given) > 2 else None
        if hasattr(content, "read"):
            file_name = getattr(content, "name", file_name) if file_name == name else file_name
            content = content.read()
        content = content.encode() if isinstance(content, str) else content
        extra = f'; filename="{_quoted(file_name)}"' if file_name else ""
        part(name, content, extra, kind or "application/octet-stream" if file_name else kind)
    parts.append(f"--{edge}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={edge}"


def _quoted(text):
    return str(text).replace("\\", "\\\\").replace('"', "%22").replace("\r", "").replace("\n", "")


def prepare(method, url, params=None, headers=None, data=None, json=None, files=None, auth=None, cookies=None, content=None):
    url = with_params(str(url).strip(), params)
    made = Headers(headers)
    body = content
    if files:
        body, kind = _multipart(data or {}, files)
        made["Content-Type"] = kind
    elif json is not None:
        body = _json.dumps(json, default=_no_json)
        made.setdefault("Content-Type", "application/json")
    elif data is not None:
        if isinstance(data, (str, bytes)):
            body = data
        elif hasattr(data, "read"):
            body = data.read()
        else:
            body = urlencode(data, doseq=True)
            made.setdefault("Content-Type", "application/x-www-form-urlencoded")
    if cookies:
        made["Cookie"] = "; ".join(f"{k}={v}" for k, v in cookies.items())
    request = Prepared(method.upper(), url, made, body)
    if isinstance(auth, (tuple, list)):
        auth = BasicAuth(*auth)
    if callable(auth):
        request = auth(request) or request
    return request


def _no_json(value):
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def seconds(timeout, default=30.0):
    """One number out of the forms a timeout has."""
    if timeout is None:
        return default
    if isinstance(timeout, (tuple, list)):
        known = [t for t in timeout if t is not None]
        return float(max(known)) if known else default
    return float(getattr(timeout, "seconds", timeout) or default)


def perform(request, timeout, follow):
    """Sends it; raises HostError."""
    body = request.body
    question = {
        "ask": "http",
        "method": request.method,
        "url": request.url,
        "headers": [[k, v] for k, v in request.headers.multi_items()],
        "body": None,
        "body_b64": None,
        "timeout": seconds(timeout),
        "follow": bool(follow),
    }
    if isinstance(body, str):
        question["body"] = body
    elif body is not None:
        raw = bytes(body) if isinstance(body, (bytes, bytearray)) else b"".join(body)
        question["body_b64"] = base64.b64encode(raw).decode("ascii")
    return ask(question)


class BaseResponse:
    """What a server answered."""

    def __init__(self, told, request):
        self.status_code = int(told.get("status") or 0)
        self.reason = told.get("reason") or REASONS.get(self.status_code, "")
        self._url = told.get("url") or request.url
        self.headers = Headers([(k, v) for k, v in told.get("headers") or []])
        self.content = base64.b64decode(told.get("body_b64") or "")
        self.request = request
        self.history = []
        self._encoding = None
        self._elapsed = None

    @property
    def elapsed(self):
        from datetime import timedelta

        return timedelta(0)

    @property
    def encoding(self):
        if self._encoding:
            return self._encoding
        kind = self.headers.get("content-type", "")
        if "charset=" in kind:
            return kind.split("charset=")[1].split(";")[0].strip().strip('"') or "utf-8"
        return "utf-8"

    @encoding.setter
    def encoding(self, value):
        self._encoding = value

    apparent_encoding = "utf-8"
    charset_encoding = property(lambda self: self.encoding)

    @property
    def text(self):
        try:
            return self.content.decode(self.encoding, "replace")
        except LookupError:
            return self.content.decode("utf-8", "replace")

    @property
    def cookies(self):
        out = {}
        for line in self.headers.get_list("set-cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            out[name.strip()] = value.strip()
        return out

    @property
    def links(self):
        out = {}
        for part in self.headers.get("link", "").split(","):
            address, _, rest = part.partition(";")
            if "<" in address:
                rel = rest.partition("rel=")[2].strip().strip('"') or "link"
                out[rel] = {"url": address.strip(" <>"), "rel": rel}
        return out

    def iter_lines(self, chunk_size=512, decode_unicode=False, delimiter=None):
        for line in self.content.split(delimiter) if delimiter else self.content.splitlines():
            yield line.decode(self.encoding, "replace") if decode_unicode else line

    def iter_content(self, chunk_size=1, decode_unicode=False):
        step = chunk_size or len(self.content) or 1
        for start in range(0, len(self.content), step):
            piece = self.content[start : start + step]
            yield piece.decode(self.encoding, "replace") if decode_unicode else piece

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        return False

    def __repr__(self):
        return f"<Response [{self.status_code}]>"
