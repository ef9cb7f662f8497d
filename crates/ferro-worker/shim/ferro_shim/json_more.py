"""Stand-ins for `orjson` and `json_repair`."""

import json
import re

OPT_INDENT_2 = 1
OPT_SORT_KEYS = 2
OPT_NON_STR_KEYS = 4
OPT_SERIALIZE_NUMPY = 8
OPT_NAIVE_UTC = 16
OPT_APPEND_NEWLINE = 32
OPT_UTC_Z = 64
OPT_SERIALIZE_DATACLASS = 128
JSONDecodeError = json.JSONDecodeError
JSONEncodeError = TypeError


def dumps(value, default=None, option=0):
    def other(item):
        if hasattr(item, "isoformat"):
            return item.isoformat()
        if hasattr(type(item), "__dataclass_fields__"):
            return {n: getattr(item, n) for n in type(item).__dataclass_fields__}
        if default is not None:
            return default(item)
        if type(item).__name__ == "UUID":
            return str(item)
        raise TypeError(f"Type is not JSON serializable: {type(item).__name__}")

    indent = 2 if (option or 0) & OPT_INDENT_2 else None
    text = json.dumps(
        value, ensure_ascii=False, default=other, indent=indent, sort_keys=bool((option or 0) & OPT_SORT_KEYS),
        separators=(",", ": ") if indent else (",", ":"),
    )
    return (text + "\n" if (option or 0) & OPT_APPEND_NEWLINE else text).encode()


def loads(text):
    return json.loads(text if isinstance(text, str) else bytes(text))


def repair_json(text="", return_objects=False, **_options):
    """The JSON that a damaged text most likely meant."""
    value = _repaired(str(text))
    return value if return_objects else "" if value == "" else json.dumps(value)


def repair_loads(text="", **_options):
    return _repaired(str(text))


def _repaired(text):
    fenced = re.search(r"```(?:json)?\s*(.*?)```", text, re.S)
    text = (fenced.group(1) if fenced else text).strip()
    start = min((i for i in (text.find("{"), text.find("[")) if i >= 0), default=-1)
    for candidate in (text, text[start:] if start >= 0 else ""):
        try:
            return json.loads(candidate)
        except ValueError:
            pass
    if start < 0:
        return ""
    try:
        return json.loads(_rewritten(text[start:]))
    except ValueError:
        return ""


def _rewritten(text):
    """Token by token: quotes made double, bare words quoted, commas and brackets put right."""
    out, open_with = [], []
    token = re.compile(r"""\s+|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[{}\[\],:]|[^\s{}\[\],:"']+""", re.S)
    for match in token.finditer(text):
        part = match.group(0)
        if part.isspace():
            continue
        if part in "{[":
            _need_comma(out)
            open_with.append("}" if part == "{" else "]")
            out.append(part)
        elif part in "}]":
            _trim(out)
            if open_with:
                out.append(open_with.pop())
            if not open_with:
                break
        elif part in ",:":
            if out and out[-1] not in (",", ":", "{", "["):
                out.append(part)
        else:
            _need_comma(out)
            out.append(_scalar(part))
    _trim(out)
    return "".join(out) + "".join(reversed(open_with))


def _trim(out):
    """A comma before the end goes; a key without a value gets null."""
    if out and out[-1] == ",":
        out.pop()
    elif out and out[-1] == ":":
        out.append("null")


def _need_comma(out):
    if out and out[-1] not in (",", ":", "{", "["):
        out.append(",")


def _scalar(part):
    if part[0] in "\"'":
        inner = part[1:-1] if len(part) > 1 and part[-1] == part[0] else part[1:]
        if part[0] == "'":
            inner = inner.replace("\\'", "'").replace('"', '\\"')
        return '"' + inner.replace("\n", "\\n").replace("\t", "\\t").rstrip("\\") + '"'
    word = {"True": "true", "False": "false", "None": "null", "NaN": "null"}.get(part, part)
    if word in ("true", "false", "null") or re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", word):
        return word
    return json.dumps(word)
