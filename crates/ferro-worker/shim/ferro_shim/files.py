"""Files the node was given, read through the host."""

import io

from .events import ask


def read_bytes(path):
    import base64

    found = ask({"ask": "file", "path": str(path)})
    return base64.b64decode(found.get("data_b64") or "")


def read_text(path, encoding="utf-8"):
    return read_bytes(path).decode(encoding or "utf-8")


def open_given(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, **_options):
    """`open` for reading; a worker has nowhere to write."""
    if any(c in mode for c in "wax+"):
        raise PermissionError("A component cannot write files: return the content as an output instead.")
    data = read_bytes(file)
    if "b" in mode:
        return io.BytesIO(data)
    return io.StringIO(data.decode(encoding or "utf-8", errors or "strict"), newline=newline)
