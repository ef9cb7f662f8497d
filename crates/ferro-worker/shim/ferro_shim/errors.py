"""What can go wrong, and how it is told."""

import sys

USER_FILE = "<component>"
MAX_MESSAGE = 2000
MAX_TRACE = 8000


class ShimError(Exception):
    """An error of ours, with the kind the host shows."""

    kind = "internal"


# The built-in class comes first: the other order cannot be raised in RustPython.
class InputError(ValueError, ShimError):
    kind = "input"


class ClassError(ShimError):
    kind = "class"


class LimitError(ShimError):
    kind = "limit"


class HostError(RuntimeError):
    """The host refused or could not do what the code asked for."""

    def __init__(self, message, why="outside"):
        super().__init__(message)
        self.why = why


class ValidationError(ValueError):
    """A value does not fit the schema of what it was given to."""

    def __init__(self, message="", problems=None):
        super().__init__(message)
        self._problems = problems or [("", str(message))]

    def errors(self, **_options):
        return [{"loc": (name,) if name else (), "msg": text, "type": "value_error"} for name, text in self._problems]

    def error_count(self):
        return len(self._problems)


class Unsupported(NotImplementedError):
    """Something the built-in interpreter's stand-ins do not offer."""


def unsupported(what):
    return Unsupported(
        f"{what} is not available in the built-in Python. "
        "Ask the operator to start the server with --python /path/to/python, "
        "an interpreter that has the real package."
    )


def server_only(what):
    return Unsupported(f"{what} belongs to the server and cannot be reached from a component's Python.")


# Told without the name of this package.
for _class in (ShimError, InputError, ClassError, LimitError, HostError, ValidationError, Unsupported):
    _class.__module__ = "builtins"

# The str() of these alone is not a sentence.
_BARE = (KeyError, StopIteration, StopAsyncIteration, AssertionError, NotImplementedError)


def _cut(text, limit):
    return text if len(text) <= limit else text[:limit] + " …"


def sentence(exc):
    try:
        text = str(exc).strip()
    except BaseException:
        text = ""
    name = type(exc).__name__
    if isinstance(exc, SystemExit):
        return "The code asked the interpreter to exit."
    if isinstance(exc, RecursionError):
        return "The code calls itself too deeply: maximum recursion depth exceeded."
    if isinstance(exc, MemoryError):
        return "The code needs more memory than a worker may use."
    if isinstance(exc, SyntaxError):
        text = exc.msg or "invalid syntax"
    elif not text:
        text = name
    elif isinstance(exc, ImportError) and text.startswith("cannot import name"):
        text = _explain_import(text) or text
    elif isinstance(exc, ModuleNotFoundError) and text.startswith("No module named"):
        text = f"{text}. {_where_packages_are()}"
    elif isinstance(exc, _BARE) and not isinstance(exc, Unsupported):
        text = f"{name}: {text}"
    return _cut(text, MAX_MESSAGE)


def _explain_import(text):
    import re

    from .aliases import explain

    found = re.match(r"cannot import name '([^']+)' from '([^']+)'", text)
    return explain(found.group(2), found.group(1)) if found else None


def _where_packages_are():
    if sys.implementation.name == "cpython":
        return "Install it in the environment of the Python that the server was started with."
    return (
        "The built-in Python has the standard library and the component API; for other packages ask the operator to start "
        "the server with --python /path/to/python."
    )


def kind_of(exc):
    if isinstance(exc, ShimError):
        return exc.kind
    if isinstance(exc, SyntaxError):
        return "syntax"
    if isinstance(exc, ImportError):
        return "import"
    if isinstance(exc, (RecursionError, MemoryError)):
        return "limit"
    return "raise"


def user_line(exc):
    line = None
    tb = exc.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == USER_FILE:
            line = tb.tb_lineno
        tb = tb.tb_next
    return line


def _keep_user_frames(entry, seen):
    if entry is None or id(entry) in seen:
        return
    seen.add(id(entry))
    import traceback

    stack = entry.stack or []
    entry.stack = traceback.StackSummary.from_list([f for f in stack if f.filename == USER_FILE])
    _keep_user_frames(entry.__cause__, seen)
    _keep_user_frames(entry.__context__, seen)
    for inner in getattr(entry, "exceptions", None) or []:
        _keep_user_frames(inner, seen)


def _trace(exc):
    """The trimmed traceback and the column of its innermost frame."""
    import traceback

    entry = traceback.TracebackException(type(exc), exc, exc.__traceback__, limit=None)
    _keep_user_frames(entry, set())
    column = None
    if entry.stack:
        offset = getattr(entry.stack[-1], "colno", None)
        if offset is not None:
            column = offset + 1
    text = "".join(entry.format())
    if len(text) > MAX_TRACE:
        text = text[: MAX_TRACE // 2] + "\n  …\n" + text[-MAX_TRACE // 2 :]
    return text.rstrip(), column


def remember_source(code):
    """Lets tracebacks show the lines of the user's code."""
    import linecache

    lines = [line + "\n" for line in code.split("\n")]
    linecache.cache[USER_FILE] = (len(code), None, lines, USER_FILE)


def describe_error(exc, code=None):
    """The `error` object of a reply."""
    out = {
        "kind": kind_of(exc),
        "type": type(exc).__name__,
        "message": sentence(exc),
        "line": None,
        "column": None,
        "trace": "",
    }
    if isinstance(exc, SyntaxError) and exc.filename == USER_FILE:
        out["line"], out["column"] = exc.lineno, exc.offset
    else:
        out["line"] = user_line(exc)
    if isinstance(exc, (ClassError, InputError)) and out["line"] is None:
        return out
    try:
        if code is not None:
            remember_source(code)
        out["trace"], column = _trace(exc)
        if out["column"] is None and not isinstance(exc, SyntaxError):
            out["column"] = column
    except BaseException:
        out["trace"] = f"{out['type']}: {out['message']}"
    return out


def linecache_is_loaded():
    return "linecache" in sys.modules
