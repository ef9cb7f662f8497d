"""`httpx`, through the host: sync and async clients."""

import json as _json
from types import SimpleNamespace

from . import http_core
from .errors import HostError
from .http_core import AuthBase, BaseResponse, BasicAuth, Headers, perform, prepare, urljoin, urlparse  # noqa: F401 - some are offered on

__version__ = "0.28.0"
Auth = AuthBase
QueryParams = dict
USE_CLIENT_DEFAULT = None


class HTTPError(Exception):
    def __init__(self, message="", *, request=None):
        super().__init__(message)
        self.request = request


class RequestError(HTTPError):
    pass


class TransportError(RequestError):
    pass


class TimeoutException(TransportError):
    pass


class ConnectTimeout(TimeoutException):
    pass


class ReadTimeout(TimeoutException):
    pass


class WriteTimeout(TimeoutException):
    pass


class PoolTimeout(TimeoutException):
    pass


class NetworkError(TransportError):
    pass


class ConnectError(NetworkError):
    pass


class ReadError(NetworkError):
    pass


class ProtocolError(TransportError):
    pass


class RemoteProtocolError(ProtocolError):
    pass


class UnsupportedProtocol(TransportError):
    pass


class DecodingError(RequestError):
    pass


class TooManyRedirects(RequestError):
    pass


class InvalidURL(Exception):
    pass


class StreamError(RuntimeError):
    pass


class HTTPStatusError(HTTPError):
    def __init__(self, message="", *, request=None, response=None):
        super().__init__(message, request=request)
        self.response = response


class URL(str):
    @property
    def host(self):
        return urlparse(self).hostname or ""

    @property
    def path(self):
        return urlparse(self).path or "/"

    @property
    def scheme(self):
        return urlparse(self).scheme

    @property
    def query(self):
        return urlparse(self).query.encode()

    def join(self, other):
        return URL(urljoin(self, str(other)))


class Timeout:
    def __init__(self, timeout=5.0, *, connect=None, read=None, write=None, pool=None):
        known = [t for t in (timeout, connect, read, write, pool) if isinstance(t, (int, float))]
        self.seconds = max(known) if known else 30.0


class Limits:
    def __init__(self, **_options):
        pass


HTTPTransport = AsyncHTTPTransport = Limits


class Request:
    def __init__(self, method, url, **options):
        made = prepare(method, url, **options)
        self.method, self.url, self.headers, self.body = made.method, URL(made.url), made.headers, made.body
        self.content = made.content


class Response(BaseResponse):
    def __init__(self, told=None, request=None, status_code=None, json=None, text=None, content=None, headers=None):
        if not isinstance(told, dict):
            import base64

            status_code = told if isinstance(told, int) else status_code
            raw = content if content is not None else _json.dumps(json).encode() if json is not None else (text or "").encode()
            pairs = list((headers or {}).items())
            told = {"status": status_code, "headers": pairs, "body_b64": base64.b64encode(raw).decode()}
            request = request or SimpleNamespace(url="", method="GET", headers=Headers())
        super().__init__(told, request)

    @property
    def url(self):
        return URL(self._url)

    @property
    def reason_phrase(self):
        return self.reason

    @property
    def http_version(self):
        return "HTTP/1.1"

    is_success = property(lambda self: 200 <= self.status_code < 300)
    is_error = property(lambda self: self.status_code >= 400)
    is_client_error = property(lambda self: 400 <= self.status_code < 500)
    is_server_error = property(lambda self: self.status_code >= 500)
    is_redirect = property(lambda self: 300 <= self.status_code < 400)
    has_redirect_location = property(lambda self: self.is_redirect and "location" in self.headers)
    is_closed = True

    def json(self, **options):
        return _json.loads(self.content.decode(self.encoding, "replace"), **options)

    def raise_for_status(self):
        if self.is_success:
            return self
        kind = {3: "Redirect response", 4: "Client error", 5: "Server error"}.get(self.status_code // 100, "Unexpected status")
        raise HTTPStatusError(
            f"{kind} '{self.status_code} {self.reason}' for url '{self.url}'", request=self.request, response=self
        )

    def read(self):
        return self.content

    async def aread(self):
        return self.content

    async def aclose(self):
        pass

    def iter_lines(self, *_args, **_options):
        yield from self.text.splitlines()

    def iter_text(self, chunk_size=None):
        yield self.text

    def iter_bytes(self, chunk_size=None):
        yield from self.iter_content(chunk_size)

    iter_raw = iter_bytes

    async def aiter_lines(self):
        for line in self.text.splitlines():
            yield line

    async def aiter_text(self, chunk_size=None):
        yield self.text

    async def aiter_bytes(self, chunk_size=None):
        for piece in self.iter_content(chunk_size):
            yield piece

    aiter_raw = aiter_bytes


def _told(error, request):
    text = str(error)
    if error.why == "timeout":
        return ReadTimeout(text, request=request)
    if error.why == "limit":
        return RequestError(text, request=request)
    return ConnectError(text, request=request)


class _Base:
    def __init__(self, *, auth=None, params=None, headers=None, cookies=None, timeout=None, follow_redirects=False, base_url="", **_options):
        self.auth = auth
        self.params = dict(params or {})
        self.headers = Headers(headers)
        self.cookies = dict(cookies or {})
        self.timeout = timeout
        self.follow_redirects = follow_redirects
        self.base_url = URL(str(base_url))
        self.is_closed = False

    def build_request(self, method, url, **options):
        options.pop("timeout", None)
        return self._prepared(method, url, **options)

    def _prepared(self, method, url, content=None, data=None, files=None, json=None, params=None, headers=None, cookies=None, auth=None):
        merged = self.headers.copy()
        merged.update(headers or {})
        own = {**self.params, **params} if isinstance(params, dict) else params or self.params
        address = str(url)
        if self.base_url and "://" not in address:
            address = str(self.base_url).rstrip("/") + "/" + address.lstrip("/")
        if "://" not in address:
            raise UnsupportedProtocol("Request URL is missing an 'http://' or 'https://' protocol.")
        jar = {**self.cookies, **(cookies or {})}
        return prepare(method, address, own, merged, data, json, files, auth or self.auth, jar, content)

    def _do(self, method, url, timeout=None, follow_redirects=None, extensions=None, **options):
        return self._go(self._prepared(method, url, **options), timeout, follow_redirects)

    def _go(self, prepared, timeout=None, follow_redirects=None):
        follow = self.follow_redirects if follow_redirects is None else follow_redirects
        try:
            told = perform(prepared, timeout if timeout is not None else self.timeout, follow)
        except HostError as error:
            raise _told(error, prepared) from None
        response = Response(told, prepared)
        self.cookies.update(response.cookies)
        return response


class Client(_Base):
    def request(self, method, url, **options):
        return self._do(method, url, **options)

    def send(self, request, **_options):
        return self._go(request)

    def stream(self, method, url, **options):
        return self._do(method, url, **options)

    def close(self):
        self.is_closed = True

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        self.close()
        return False


class _Streamed:
    def __init__(self, make):
        self._make = make

    async def __aenter__(self):
        return self._make()

    async def __aexit__(self, *_exc):
        return False


class AsyncClient(_Base):
    async def request(self, method, url, **options):
        return self._do(method, url, **options)

    async def send(self, request, **_options):
        return self._go(request)

    def stream(self, method, url, **options):
        return _Streamed(lambda: self._do(method, url, **options))

    async def aclose(self):
        self.is_closed = True

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_exc):
        await self.aclose()
        return False


def _verbs():
    for verb in ("get", "post", "put", "patch", "delete", "head", "options"):

        def plain(self, url, verb=verb, **options):
            return self._do(verb, url, **options)

        async def waiting(self, url, verb=verb, **options):
            return self._do(verb, url, **options)

        def free(url, verb=verb, **options):
            return request(verb, url, **options)

        setattr(Client, verb, plain)
        setattr(AsyncClient, verb, waiting)
        globals()[verb] = free


def request(method, url, *, follow_redirects=False, auth=None, verify=True, timeout=None, **options):
    with Client(follow_redirects=follow_redirects, auth=auth, timeout=timeout) as client:
        return client.request(method, url, **options)


def stream(method, url, **options):
    return request(method, url, **options)


_verbs()
codes = SimpleNamespace(**{v.upper().replace(" ", "_"): k for k, v in http_core.REASONS.items()})
for _class in [v for v in globals().values() if isinstance(v, type) and issubclass(v, Exception)]:
    _class.__module__ = "httpx"
