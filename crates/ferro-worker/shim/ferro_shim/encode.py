"""JSON text of plain values, quick where `json` has no native encoder."""

import json
from json.encoder import c_make_encoder, encode_basestring

_MAX_KEYS = 1024
_keys = {}


def _key(name):
    made = encode_basestring(name) + ":"
    if len(_keys) < _MAX_KEYS and len(name) < 64:
        _keys[name] = made
    return made


def _put(value, out):
    kind = type(value)
    if kind is dict:
        before = "{"
        for name, item in value.items():
            out.append(before)
            out.append(_keys.get(name) or _key(name))
            before = ","
            if item is None:
                out.append("null")
            elif type(item) is str:
                out.append(encode_basestring(item))
            else:
                _put(item, out)
        out.append("}" if before == "," else "{}")
    elif kind is list:
        before = "["
        for item in value:
            out.append(before)
            before = ","
            _put(item, out)
        out.append("]" if before == "," else "[]")
    elif kind is str:
        out.append(encode_basestring(value))
    elif value is None:
        out.append("null")
    elif kind is bool:
        out.append("true" if value else "false")
    elif kind is int or (kind is float and value - value == 0):
        out.append(repr(value))
    else:
        # Rare: subclasses, and what JSON cannot say.
        out.append(_slow(value))


def _quick(value):
    out = []
    _put(value, out)
    return "".join(out)


_slow = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
encode = _slow if c_make_encoder is not None else _quick
