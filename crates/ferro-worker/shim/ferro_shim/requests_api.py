"""`requests`, through the host."""

import json as _json
from types import SimpleNamespace

from . import http_core
from .errors import HostError
from .http_core import AuthBase, BaseResponse, BasicAuth, Headers, Prepared, perform, prepare, urljoin

__version__ = "2.32.0"
Request = SimpleNamespace
PreparedRequest = Prepared


class RequestException(OSError):
    def __init__(self, *args, request=None, response=None):
        super().__init__(*args)
        self.request = request if request is not None else getattr(response, "request", None)
        self.response = response


class HTTPError(RequestException):
    pass


class ConnectionError(RequestException):  # noqa: A001 - the name people catch
    pass


class SSLError(ConnectionError):
    pass


class ProxyError(ConnectionError):
    pass


class Timeout(RequestException):
    pass


class ConnectTimeout(ConnectionError, Timeout):
    pass


class ReadTimeout(Timeout):
    pass


class TooManyRedirects(RequestException):
    pass


class InvalidURL(RequestException, ValueError):
    pass


class MissingSchema(RequestException, ValueError):
    pass


class InvalidSchema(RequestException, ValueError):
    pass


class InvalidHeader(RequestException, ValueError):
    pass


class ChunkedEncodingError(RequestException):
    pass


class ContentDecodingError(RequestException):
    pass


class RetryError(RequestException):
    pass


class InvalidJSONError(RequestException):
    pass


class JSONDecodeError(InvalidJSONError, _json.JSONDecodeError):
    def __init__(self, *args, **options):
        _json.JSONDecodeError.__init__(self, *args)
        self.request = self.response = None


class Response(BaseResponse):
    @property
    def url(self):
        return self._url

    @property
    def ok(self):
        return self.status_code < 400

    @property
    def is_redirect(self):
        return "location" in self.headers and self.status_code in (301, 302, 303, 307, 308)

    def __bool__(self):
        return self.ok

    def json(self, **options):
        try:
            return _json.loads(self.content.decode(self.encoding, "replace"), **options)
        except _json.JSONDecodeError as error:
            raise JSONDecodeError(error.msg, error.doc, error.pos) from None

    def raise_for_status(self):
        if self.status_code >= 400:
            side = "Client" if self.status_code < 500 else "Server"
            raise HTTPError(f"{self.status_code} {side} Error: {self.reason} for url: {self.url}", response=self)


def _told(error, prepared):
    text = str(error)
    if error.why == "timeout":
        return ReadTimeout(text, request=prepared)
    if error.why == "limit":
        return RequestException(text, request=prepared)
    return ConnectionError(text, request=prepared)


def _check(url):
    scheme, colon, _ = url.partition("://")
    if not colon:
        raise MissingSchema(f"Invalid URL {url!r}: no scheme. Perhaps you meant https://{url}?")
    if scheme.lower() not in ("http", "https"):
        raise InvalidSchema(f"No connection for {url!r}: only http and https.")


class Session:
    def __init__(self):
        self.headers = Headers()
        self.params = {}
        self.cookies = {}
        self.auth = None
        self.verify = True
        self.proxies = {}
        self.max_redirects = 30
        self.trust_env = False
        self.adapters = {}
        self.hooks = {}

    def mount(self, prefix, adapter):
        self.adapters[prefix] = adapter

    def request(self, method, url, params=None, data=None, headers=None, cookies=None, files=None, auth=None, timeout=None,
                allow_redirects=True, proxies=None, hooks=None, stream=None, verify=None, cert=None, json=None):
        merged = self.headers.copy()
        merged.update(headers or {})
        own = self.params if not params else {**self.params, **params} if isinstance(params, dict) else params
        jar = {**self.cookies, **(cookies or {})}
        prepared = prepare(method, url, own, merged, data, json, files, auth or self.auth, jar)
        _check(prepared.url)
        return self._send(prepared, timeout, allow_redirects)

    def _send(self, prepared, timeout, follow):
        try:
            told = perform(prepared, timeout, follow)
        except HostError as error:
            raise _told(error, prepared) from None
        response = Response(told, prepared)
        self.cookies.update(response.cookies)
        return response

    def prepare_request(self, request):
        return prepare(request.method, request.url, headers=getattr(request, "headers", None), data=getattr(request, "data", None),
                       json=getattr(request, "json", None), params=getattr(request, "params", None))

    def send(self, prepared, timeout=None, allow_redirects=True, **_options):
        return self._send(prepared, timeout, allow_redirects)

    def get(self, url, **options):
        return self.request("GET", url, **options)

    def options(self, url, **options):
        return self.request("OPTIONS", url, **options)

    def head(self, url, **options):
        return self.request("HEAD", url, **{"allow_redirects": False, **options})

    def post(self, url, data=None, json=None, **options):
        return self.request("POST", url, data=data, json=json, **options)

    def put(self, url, data=None, **options):
        return self.request("PUT", url, data=data, **options)

    def patch(self, url, data=None, **options):
        return self.request("PATCH", url, data=data, **options)

    def delete(self, url, **options):
        return self.request("DELETE", url, **options)

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        return False


def session():
    return Session()


def request(method, url, **options):
    return Session().request(method, url, **options)


def get(url, params=None, **options):
    return request("GET", url, params=params, **options)


def options(url, **given):
    return request("OPTIONS", url, **given)


def head(url, **options):
    return Session().head(url, **options)


def post(url, data=None, json=None, **options):
    return request("POST", url, data=data, json=json, **options)


def put(url, data=None, **options):
    return request("PUT", url, data=data, **options)


def patch(url, data=None, **options):
    return request("PATCH", url, data=data, **options)


def delete(url, **options):
    return request("DELETE", url, **options)


class HTTPAdapter:
    def __init__(self, *_args, **_options):
        pass


Retry = HTTPAdapter
codes = SimpleNamespace(**{v.lower().replace(" ", "_"): k for k, v in http_core.REASONS.items()})
for _class in [v for v in globals().values() if isinstance(v, type) and issubclass(v, RequestException)]:
    _class.__module__ = "requests.exceptions"
EXCEPTIONS = SimpleNamespace(**{k: v for k, v in globals().items() if isinstance(v, type) and issubclass(v, RequestException)})
AUTH = SimpleNamespace(HTTPBasicAuth=BasicAuth, AuthBase=AuthBase)
ADAPTERS = SimpleNamespace(HTTPAdapter=HTTPAdapter)
UTILS = SimpleNamespace(quote=http_core.quote, unquote=http_core.unquote, urljoin=urljoin)
STATUS = SimpleNamespace(codes=codes)
