"""From what a wire or a person gives to what a component reads."""

import json

from .data import Data
from .errors import InputError
from .message import Message, is_stream


def frame_class():
    from .frame import DataFrame

    return DataFrame


def is_frame(value):
    return getattr(value, "_is_frame", False) is True or (
        type(value).__name__ == "DataFrame" and type(value).__module__.startswith("pandas")
    )


def _is_empty(value):
    # A table compared with a text gives a table.
    return value is None or (isinstance(value, str) and value == "")


def _cannot(spec, value, wanted):
    return InputError(f"The field `{spec.name}` needs {wanted}, not {type(value).__name__}.")


def to_text(spec, value):
    if value is None or isinstance(value, str) or is_stream(value):
        return value
    if isinstance(value, Message):
        text = value.data.get("text")
        return "" if text is None else text
    if isinstance(value, Data):
        if value.text_key in value.data:
            return value.get_text()
        keys = ", ".join(map(str, value.data)) or "none"
        raise InputError(
            f"The field `{spec.name}` needs text, but the Data has no key `{value.text_key}` (its keys: {keys})."
        )
    if isinstance(value, bool) or isinstance(value, (int, float)):
        return str(value)
    if is_frame(value):
        return frame_class()(value).to_markdown()
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=str)
    text = getattr(value, "content", None)
    if isinstance(text, str):
        return text
    raise _cannot(spec, value, "text")


def to_message(spec, value):
    if _is_empty(value):
        return value
    if isinstance(value, Message):
        return value
    if isinstance(value, Data):
        return Message.from_data(value)
    if isinstance(value, dict) and "text" in value:
        return Message(**value)
    return Message(text=to_text(spec, value))


def _number(spec, value, kind, name):
    if isinstance(value, Data):
        value = value.get_text()
    if _is_empty(value):
        return kind(0)
    if isinstance(value, bool):
        return kind(value)
    if isinstance(value, str):
        text = value.strip().replace("_", "")
        try:
            return kind(text)
        except ValueError:
            pass
        try:
            value = float(text)
        except ValueError:
            raise InputError(f"The field `{spec.name}` needs {name}, and “{value[:60]}” is none.") from None
    if isinstance(value, (int, float)):
        if kind is int and isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                raise InputError(f"The field `{spec.name}` needs {name}, not {value}.")
            return int(value)
        return kind(value)
    raise _cannot(spec, value, name)


def to_int(spec, value):
    return _number(spec, value, int, "a whole number")


def to_float(spec, value):
    return _number(spec, value, float, "a number")


def to_slider(spec, value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    return to_float(spec, value)


_TRUE = ("true", "1", "yes", "on", "t", "y")
_FALSE = ("false", "0", "no", "off", "f", "n", "", "none", "null")


def to_bool(spec, value):
    if value is None:
        return False
    if isinstance(value, Data):
        value = value.get_text()
    if isinstance(value, str):
        text = value.strip().lower()
        if text in _TRUE:
            return True
        if text in _FALSE:
            return False
        raise InputError(f"The field `{spec.name}` needs true or false, and “{value[:60]}” is neither.")
    return bool(value)


def _parse(spec, text, wanted):
    try:
        return json.loads(text)
    except ValueError:
        raise InputError(f"The field `{spec.name}` needs {wanted}, and its text is not JSON.") from None


def to_dict(spec, value):
    if _is_empty(value):
        return {}
    if isinstance(value, Data):
        return dict(value.data)
    if isinstance(value, str):
        value = _parse(spec, value, "a JSON object")
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        out = {}
        for item in value:
            if isinstance(item, Data):
                out.update(item.data)
            elif isinstance(item, dict) and "key" in item and set(item) <= {"key", "value"}:
                out[item["key"]] = item.get("value")
            elif isinstance(item, dict):
                out.update(item)
            else:
                raise _cannot(spec, item, "pairs of keys and values")
        return out
    raise _cannot(spec, value, "a dict")


def to_rows(spec, value):
    if _is_empty(value):
        return []
    if is_frame(value):
        return frame_class()(value).to_dict(orient="records")
    if isinstance(value, str):
        value = _parse(spec, value, "a list of rows")
    if isinstance(value, (dict, Data)):
        value = [value]
    if isinstance(value, (list, tuple)):
        rows = [dict(r.data) if isinstance(r, Data) else r for r in value]
        for row in rows:
            if not isinstance(row, dict):
                raise _cannot(spec, row, "rows that are dicts")
        return rows
    raise _cannot(spec, value, "a list of rows")


def to_data(spec, value):
    if _is_empty(value) or isinstance(value, Data) or is_frame(value):
        return value
    if isinstance(value, dict):
        return Data(data=value)
    if isinstance(value, list):
        return [to_data(spec, v) for v in value]
    if isinstance(value, str):
        return Data(data={"text": value})
    return value


def to_frame(spec, value):
    if _is_empty(value):
        return value
    if is_frame(value):
        return frame_class()(value) if not getattr(value, "_is_frame", False) else value
    if isinstance(value, (Data, dict)):
        return frame_class()([value])
    if isinstance(value, list):
        if value and all(is_frame(v) for v in value):
            return value
        if not value or all(isinstance(v, (Data, dict)) for v in value):
            return frame_class()(value)
        return value
    return value


def to_list(spec, value):
    if _is_empty(value):
        return []
    if isinstance(value, (list, tuple)):
        return list(value)
    return [value]


def as_is(_spec, value):
    return value
