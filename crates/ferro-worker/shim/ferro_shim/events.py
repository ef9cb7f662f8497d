"""Events and questions to the host, and what is printed."""

import json

import _host

from .encode import encode
from .errors import HostError

MAX_EVENTS = 2000
MAX_BYTES = 1024 * 1024
MAX_PRINTED = 64 * 1024

_count = 0
_bytes = 0
_closed = False


def start_request():
    global _count, _bytes, _closed
    _count = 0
    _bytes = 0
    _closed = False


def to_line(value):
    """JSON text that is also UTF-8: a lone surrogate has none and would break the line for its reader."""
    try:
        text = encode(value)
    except UnicodeEncodeError:
        text = encode(_whole(value))
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _whole(value):
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_whole(k): _whole(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_whole(v) for v in value]
    return value


def emit(event):
    """Tells the host something; past the limits it is left out, and said once."""
    global _count, _bytes, _closed
    if _closed:
        return
    try:
        text = to_line(event)
    except (TypeError, ValueError, RecursionError):
        return
    _count += 1
    _bytes += len(text)
    if _count >= MAX_EVENTS or _bytes > MAX_BYTES:
        _closed = True
        text = to_line({"event": "log", "name": "limit", "message": "Too many events: the rest was left out."})
    _host.event(text)


def ask(question):
    """Asks the host and waits; a refusal is a HostError."""
    reply = json.loads(_host.call(to_line(question)))
    if reply.get("ok"):
        return reply.get("result")
    raise HostError(reply.get("error") or "The host gave no answer.", reply.get("kind") or "outside")


def new_id():
    raw = bytearray(_host.urandom(16))
    raw[6] = raw[6] & 0x0F | 0x40
    raw[8] = raw[8] & 0x3F | 0x80
    h = bytes(raw).hex()
    return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"


class Printed:
    """Stands in for stdout and stderr while user code runs."""

    encoding = "utf-8"
    errors = "replace"
    newlines = None
    closed = False
    name = "<print>"
    mode = "w"

    def __init__(self, as_events):
        self._as_events = as_events
        # In events: of the line being written. Else: of everything.
        self._parts = []
        self._size = 0
        self._cut = False

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        size = len(text)
        if self._cut:
            return size
        room = MAX_PRINTED - self._size
        if size > room:
            text = text[:room]
            self._cut = True
        self._size += len(text)
        self._parts.append(text)
        if self._as_events and "\n" in text:
            *lines, rest = "".join(self._parts).split("\n")
            self._parts = [rest]
            for line in lines:
                emit({"event": "log", "name": "print", "message": line})
        return size

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def finish(self):
        if not self._as_events:
            return
        line = "".join(self._parts)
        self._parts = []
        if line:
            emit({"event": "log", "name": "print", "message": line})
        if self._cut:
            emit({"event": "log", "name": "print", "message": "… the rest of what was printed was left out."})

    def text(self):
        out = "".join(self._parts)
        return out + "\n… the rest of what was printed was left out." if self._cut else out

    def flush(self):
        pass

    def close(self):
        pass

    def isatty(self):
        return False

    def readable(self):
        return False

    def writable(self):
        return True

    def seekable(self):
        return False

    def fileno(self):
        raise OSError("printed text has no file descriptor")
