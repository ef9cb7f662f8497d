"""JSON schemas of tool arguments, from signatures, models and docstrings."""

_SIMPLE = {
    "str": "string", "int": "integer", "float": "number", "bool": "boolean", "dict": "object", "list": "array",
    "tuple": "array", "set": "array", "List": "array", "Dict": "object", "Sequence": "array", "Mapping": "object",
    "Iterable": "array", "NoneType": "null", "None": "null", "bytes": "string", "Text": "string", "Decimal": "number",
}
_EMPTY = {"type": "object", "properties": {}}
_FORMATS = {"datetime": "date-time", "date": "date", "UUID": "uuid"}


def tool_schema(tool):
    """The schema of a tool's arguments."""
    schema = getattr(tool, "args_schema", None)
    if isinstance(schema, dict):
        return schema
    if schema is not None:
        return model_schema(schema)
    made = getattr(tool, "_schema", None)
    if isinstance(made, dict):
        return made
    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None)
    if function is not None:
        return function_schema(function)
    for name in ("_run", "_arun"):
        method = getattr(type(tool), name, None)
        if method is not None:
            return function_schema(method, skip=("self", "run_manager", "config"))
    return dict(_EMPTY)


def model_schema(model):
    for name in ("model_json_schema", "schema"):
        make = getattr(model, name, None)
        if callable(make):
            return make()
    notes = getattr(model, "__annotations__", None)
    if isinstance(notes, dict):
        props = {k: type_schema(v) for k, v in notes.items()}
        return {"type": "object", "properties": props, "required": list(props)}
    return dict(_EMPTY)


def function_schema(function, skip=("self", "cls", "run_manager", "config")):
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        call = getattr(type(function), "__call__", None)
        code = getattr(call, "__code__", None)
        function = call if code is not None else function
        if code is None:
            return dict(_EMPTY)
    function = getattr(function, "__func__", function)
    count = code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames[:count]
    defaults = function.__defaults__ or ()
    first = code.co_argcount - len(defaults)
    given = {n: defaults[i - first] for i, n in enumerate(names[: code.co_argcount]) if i >= first}
    given.update(function.__kwdefaults__ or {})
    notes = annotations_of(function)
    told = docstring_arguments(function.__doc__)
    props, required = {}, []
    for name in names:
        if name in skip:
            continue
        entry = type_schema(notes.get(name))
        if name in told and "description" not in entry:
            entry["description"] = told[name]
        if name in given:
            if given[name] is None or isinstance(given[name], (str, int, float, bool, list, dict)):
                entry["default"] = given[name]
        else:
            required.append(name)
        props[name] = entry
    out = {"type": "object", "properties": props}
    if required:
        out["required"] = required
    return out


def annotations_of(function):
    try:
        return dict(function.__annotations__)
    except Exception:
        # Lazy annotations of names that do not exist.
        return {}


def docstring_arguments(doc):
    """Descriptions under `Args:` of a docstring."""
    if not doc or "Args:" not in doc:
        return {}
    out, name = {}, None
    for line in doc.split("Args:", 1)[1].split("\n"):
        text = line.strip()
        if text.endswith(":") and text[:-1] in ("Returns", "Raises", "Yields", "Example", "Examples", "Note"):
            break
        head, colon, rest = text.partition(":")
        word = head.partition("(")[0].strip()
        if colon and word.isidentifier():
            name = word
            out[name] = rest.strip()
        elif name and text:
            out[name] += " " + text
    return out


def type_schema(note):
    """The schema of an annotation, as far as it can be read."""
    if note is None or note is Ellipsis:
        return {}
    if isinstance(note, str):
        return _text_schema(note)
    meta = getattr(note, "__metadata__", None)
    if meta is not None:
        entry = type_schema(getattr(note, "__origin__", None))
        for item in meta:
            text = item if isinstance(item, str) else getattr(item, "description", None)
            if isinstance(text, str):
                entry["description"] = text
        return entry
    args = getattr(note, "__args__", None)
    if args is not None:
        origin = getattr(note, "__origin__", None)
        name = getattr(origin, "__name__", None) or getattr(origin, "_name", None) or type(note).__name__
        return _generic_schema(name, args)
    if isinstance(note, type):
        return _class_schema(note)
    name = getattr(note, "__name__", None) or getattr(note, "_name", None) or ""
    kind = _SIMPLE.get(name)
    return {"type": kind} if kind else {}


def _class_schema(cls):
    if hasattr(cls, "__members__"):
        values = [m.value for m in cls.__members__.values()]
        return {"enum": values, **({"type": "string"} if all(isinstance(v, str) for v in values) else {})}
    if hasattr(cls, "model_json_schema"):
        return cls.model_json_schema()
    for base in cls.__mro__:
        kind = _SIMPLE.get(base.__name__)
        if kind:
            return {"type": kind}
        if base.__name__ in _FORMATS:
            return {"type": "string", "format": _FORMATS[base.__name__]}
    return {}


def _generic_schema(name, args):
    if name in ("Union", "UnionType", "Optional"):
        parts = [type_schema(type(None) if a is None else a) for a in args]
        real = [p for p in parts if p != {"type": "null"}]
        if len(real) == len(parts) or not real:
            return {"anyOf": parts}
        return {"anyOf": [*real, {"type": "null"}]}
    if name == "Literal":
        return {"enum": list(args), **({"type": "string"} if all(isinstance(a, str) for a in args) else {})}
    kind = _SIMPLE.get(name)
    if kind == "array":
        inner = type_schema(args[0]) if args else {}
        return {"type": "array", "items": inner}
    if kind == "object":
        inner = type_schema(args[1]) if len(args) > 1 else {}
        return {"type": "object", "additionalProperties": inner} if inner else {"type": "object"}
    return {"type": kind} if kind else {}


def _text_schema(text):
    from .output import _split

    text = text.strip().strip("'\"")
    parts = _split(text, "|")
    if len(parts) > 1:
        return _generic_schema("Union", parts)
    if text.endswith("]") and "[" in text:
        head, _, inside = text[:-1].partition("[")
        name = head.rpartition(".")[2]
        if name == "Annotated":
            return _text_schema(_split(inside, ",")[0])
        if name == "Literal":
            return {"enum": [p.strip().strip("'\"") for p in _split(inside, ",")], "type": "string"}
        inner = _split(inside, ",")
        return _generic_schema(name, [*inner, "None"] if name == "Optional" else inner)
    kind = _SIMPLE.get(text.rpartition(".")[2])
    return {"type": kind} if kind else {}


_INPUT_KINDS = {"int": "integer", "float": "number", "slider": "number", "bool": "boolean", "dict": "object", "NestedDict": "object"}


def inputs_schema(inputs):
    """The schema of a component's inputs, for the tools made of its outputs."""
    props, required = {}, []
    for item in inputs:
        kind = _INPUT_KINDS.get(item.type, "string")
        entry = {"type": kind, "description": item.info or item.display_name or ""}
        options = item.__dict__.get("options")
        if kind == "string" and isinstance(options, list) and options and all(isinstance(o, str) for o in options):
            entry["enum"] = list(options)
        if item.__dict__.get("list") and kind != "object":
            entry = {"type": "array", "items": {"type": kind}, "description": entry["description"]}
        if item.required:
            required.append(item.name)
        elif item.value not in ("", None, {}, []):
            entry["default"] = item.value
        props[item.name] = entry
    out = {"type": "object", "properties": props}
    if required:
        out["required"] = required
    return out


def create_input_schema(inputs):
    return inputs_schema(inputs)


def flatten_schema(schema):
    return schema


def build_model_from_schema(rows):
    """A model from rows of `name`, `type`, `description`, `multiple`."""
    from .model import Field, create_model

    kinds = {"str": str, "text": str, "int": int, "integer": int, "float": float, "bool": bool, "boolean": bool, "dict": dict, "list": list}
    fields = {}
    for row in rows:
        kind = kinds.get(str(row.get("type", "str")), str)
        if row.get("multiple") in (True, "True", "true"):
            kind = list[kind]
        fields[row["name"]] = (kind, Field(description=row.get("description", ""), default=row.get("default", ...)))
    return create_model("OutputModel", **fields)
