"""Values on their way between the host and Python."""

from .data import Data
from .errors import InputError
from .message import Message

MAX_DEPTH = 64
_MESSAGE_KEYS = ("sender", "sender_name", "session_id", "context_id")
_MESSAGE_MAYBE = ("id", "timestamp", "category", "error")
_MESSAGE_ALL = frozenset((*_MESSAGE_KEYS, *_MESSAGE_MAYBE, "text", "files", "properties"))


def to_wire(value, depth=0):
    """What JSON can say of a value; what it cannot say becomes its str."""
    kind = type(value)
    if value is None or kind is str or kind is bool or kind is int:
        return value
    if kind is float:
        # NaN and the infinities have no JSON.
        return value if value - value == 0 else None
    if depth > MAX_DEPTH:
        raise InputError(f"The value is nested more than {MAX_DEPTH} levels deep.")
    deeper = depth + 1
    if kind is dict or kind is list or kind is tuple:
        return _collection(value, kind, deeper)
    if isinstance(value, Message):
        return _message(value, deeper)
    if isinstance(value, Data):
        return {
            "$type": "Data",
            "data": {_key(k): to_wire(v, deeper) for k, v in value.data.items()},
            "text_key": value.text_key,
            "default_value": to_wire(value.default_value, deeper),
        }
    return _other(value, deeper)


def _key(key):
    if isinstance(key, str):
        return key if type(key) is str else str(key)
    return str(getattr(key, "value", key))


def _collection(value, kind, depth):
    if kind is dict:
        if "$type" in value:
            return {"$type": "dict", "items": [[_key(k), to_wire(v, depth)] for k, v in value.items()]}
        return {_key(k): to_wire(v, depth) for k, v in value.items()}
    if value and is_tool(value[0]) and all(is_tool(v) for v in value):
        return tools_wire(value)
    return [to_wire(v, depth) for v in value]


def _message(message, depth):
    data = message.data
    out = {"$type": "Message", "text": message.get_text()}
    get = data.get
    for key in _MESSAGE_KEYS:
        value = get(key)
        out[key] = value if value is None or type(value) is str else to_wire(value, depth)
    files, properties = get("files"), get("properties")
    out["files"] = [_file(f, depth) for f in files] if files else []
    out["properties"] = to_wire(properties, depth) if properties else {}
    for key in _MESSAGE_MAYBE:
        value = get(key)
        if value is not None:
            out[key] = to_wire(value, depth)
    out["data"] = {_key(k): to_wire(v, depth) for k, v in data.items() if k not in _MESSAGE_ALL}
    return out


def _file(value, depth):
    path = getattr(value, "path", None)
    return path if isinstance(path, str) else to_wire(value, depth)


def is_tool(value):
    return getattr(value, "_is_tool", False) is True or any(
        c.__name__ == "BaseTool" for c in type(value).__mro__
    )


def tools_wire(tools):
    from .schemas import tool_schema

    return {
        "$type": "Tools",
        "tools": [
            {"name": str(t.name), "description": str(t.description or ""), "schema": tool_schema(t)} for t in tools
        ],
    }


def _other(value, depth):
    if getattr(value, "_is_frame", False) is True:
        return {
            "$type": "DataFrame",
            "columns": [_key(c) for c in value.columns],
            "rows": [[to_wire(v, depth) for v in row] for row in value.rows()],
            "text_key": value.text_key,
        }
    if getattr(value, "_is_series", False) is True:
        return [to_wire(v, depth) for v in value]
    if is_tool(value):
        return tools_wire([value])
    wire = getattr(value, "_wire", None)
    if isinstance(wire, dict):
        return wire
    if isinstance(value, (bytes, bytearray, memoryview)):
        import base64

        return {"$type": "bytes", "b64": base64.b64encode(bytes(value)).decode("ascii")}
    if isinstance(value, dict):
        return _collection(dict(value), dict, depth)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_asdict"):
        return _collection(list(value), list, depth)
    if isinstance(value, (set, frozenset)):
        return [to_wire(v, depth) for v in _in_order(value)]
    return _rare(value, depth)


def _in_order(values):
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=str)


def _rare(value, depth):
    kind = type(value)
    if isinstance(value, type):
        return value.__name__
    if hasattr(kind, "__members__") and hasattr(value, "value"):
        return to_wire(value.value, depth)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return to_wire(float(value), depth)
    module = kind.__module__ or ""
    if module.startswith("pandas") or module.startswith("numpy"):
        return _from_pandas(value, depth)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "_asdict"):
        return to_wire(value._asdict(), depth)
    if hasattr(kind, "__dataclass_fields__"):
        return {name: to_wire(getattr(value, name, None), depth) for name in kind.__dataclass_fields__}
    for dump in ("model_dump", "to_wire"):
        method = getattr(value, dump, None)
        if callable(method):
            return to_wire(method(), depth)
    if kind.__name__ == "Decimal":
        number = float(value)
        return int(value) if value == value.to_integral_value() and abs(number) < 2**53 else to_wire(number)
    if hasattr(value, "__next__"):
        return [to_wire(v, depth) for v in value]
    if hasattr(value, "page_content"):
        return to_wire(Data.from_document(value), depth)
    if kind.__name__ in ("dict_keys", "dict_values", "range", "deque", "map", "filter", "zip"):
        return [to_wire(v, depth) for v in value]
    if kind.__name__ == "dict_items":
        return [to_wire(v, depth) for v in value]
    return str(value)


def _from_pandas(value, depth):
    name = type(value).__name__
    if name == "DataFrame":
        from .frame import DataFrame

        return _other(DataFrame(value, text_key=getattr(value, "text_key", "text")), depth)
    if name in ("NAType", "NaTType"):
        return None
    if hasattr(value, "tolist"):
        return to_wire(value.tolist(), depth)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "item"):
        return to_wire(value.item(), depth)
    return str(value)


def from_wire(value, depth=0):
    """The Python value of what the host sent."""
    if isinstance(value, list):
        if depth > MAX_DEPTH:
            raise InputError(f"The value is nested more than {MAX_DEPTH} levels deep.")
        made = [from_wire(v, depth + 1) for v in value]
        if any(isinstance(v, dict) and v.get("$type") == "Tools" for v in value):
            # Tools of several nodes in one list field are one list of tools.
            made = [t for m, v in zip(made, value) for t in (m if isinstance(v, dict) and v.get("$type") == "Tools" else [m])]
        return made
    if not isinstance(value, dict):
        return value
    if depth > MAX_DEPTH:
        raise InputError(f"The value is nested more than {MAX_DEPTH} levels deep.")
    kind = value.get("$type")
    if kind is None:
        return {k: from_wire(v, depth + 1) for k, v in value.items()}
    reader = _READERS.get(kind)
    if reader is None:
        raise InputError(f"A value of the unknown kind `{kind}` came from the host.")
    return reader(value, depth + 1)


def _read_message(value, depth):
    data = from_wire(value.get("data") or {}, depth)
    for key, item in value.items():
        if key in _MESSAGE_ALL and item is not None:
            data[key] = from_wire(item, depth)
    text = data.pop("text", "")
    return Message(text=text, data=data)


def _read_data(value, depth):
    return Data(
        data=from_wire(value.get("data") or {}, depth),
        text_key=value.get("text_key") or "text",
        default_value=value.get("default_value", ""),
    )


def _read_frame(value, depth):
    from .frame import DataFrame

    columns = [str(c) for c in value.get("columns") or []]
    rows = [[from_wire(v, depth) for v in row] for row in value.get("rows") or []]
    return DataFrame.from_rows(columns, rows, text_key=value.get("text_key") or "text")


def _read_tools(value, _depth):
    from .live import HostTool

    ref = value.get("ref")
    return [HostTool(ref, t) for t in value.get("tools") or []]


def _read_live(value, _depth):
    from .live import live_object

    return live_object(value)


def _read_bytes(value, _depth):
    import base64

    return base64.b64decode(value.get("b64") or "")


def _read_dict(value, depth):
    return {k: from_wire(v, depth) for k, v in value.get("items") or []}


_READERS = {
    "Message": _read_message,
    "Data": _read_data,
    "DataFrame": _read_frame,
    "Tools": _read_tools,
    "Live": _read_live,
    "bytes": _read_bytes,
    "dict": _read_dict,
}
