"""Outputs of a component, and the types their methods say they give."""

from .errors import ValidationError

UNDEFINED = "__UNDEFINED__"
# The names the canvas uses today for these classes.
_TODAY = {"Data": "JSON", "DataFrame": "Table", "str": "Text", "StructuredTool": "Tool", "BaseTool": "Tool"}
_BOTH = (("Data", "JSON"), ("DataFrame", "Table"))
_UNWRAP = ("list", "List", "Sequence", "Iterable", "tuple", "Tuple", "set", "Awaitable", "Coroutine")
_UNION = ("Union", "Optional", "UnionType")


class Output:
    """One output: the method that makes the value, and how it is shown."""

    def __init__(self, display_name=None, name=None, method=None, types=None, selected=None, **given):
        if name is None and display_name is None and method is None:
            raise ValidationError("Output needs a `name` or a `display_name`, and a `method`.")
        self.name = name or method or str(display_name).strip().lower().replace(" ", "_")
        self.display_name = display_name if display_name is not None else self.name
        self.method = method
        self.types = list(types or [])
        # An old name means both, so that a wire of either end fits.
        self.types += [new for old, new in _BOTH if old in self.types and new not in self.types]
        self.selected = selected
        self.value = given.pop("value", UNDEFINED)
        self.cache = given.pop("cache", True)
        self.hidden = given.pop("hidden", None)
        self.required_inputs = given.pop("required_inputs", None)
        self.allows_loop = given.pop("allows_loop", False)
        self.loop_types = given.pop("loop_types", None)
        self.group_outputs = given.pop("group_outputs", False)
        self.options = given.pop("options", None)
        self.tool_mode = given.pop("tool_mode", True)
        self.info = given.pop("info", None)
        self.__dict__.update(given)

    def add_types(self, types):
        for name in types:
            if name not in self.types:
                self.types.append(name)
        if self.selected is None and self.types:
            self.selected = self.types[0]

    def to_dict(self):
        from .wire import to_wire

        options = self.options
        if options is not None and not isinstance(options, dict):
            options = dict(getattr(options, "__dict__", {}))
        return {
            "types": list(self.types),
            "selected": self.selected if self.selected is not None else (self.types[0] if self.types else None),
            "name": self.name,
            "hidden": self.hidden,
            "display_name": self.display_name,
            "method": self.method,
            "value": UNDEFINED,
            "cache": self.cache,
            "required_inputs": list(self.required_inputs) if self.required_inputs is not None else None,
            "allows_loop": self.allows_loop,
            "loop_types": list(self.loop_types) if self.loop_types is not None else None,
            "group_outputs": self.group_outputs,
            "options": to_wire(options),
            "tool_mode": self.tool_mode,
        }

    model_dump = to_dict

    def copy(self):
        twin = object.__new__(Output)
        twin.__dict__.update(self.__dict__)
        twin.types = list(self.types)
        return twin

    def __repr__(self):
        return f"Output(name={self.name!r}, method={self.method!r})"


class OutputOptions:
    def __init__(self, **options):
        self.__dict__.update(options)


def return_types(function, source=None):
    """Type names of a method's return annotation, in the canvas's words."""
    function = getattr(function, "__func__", function)
    inner = function
    while hasattr(inner, "__wrapped__"):
        inner = inner.__wrapped__
    scope = getattr(inner, "__globals__", {})
    try:
        # On interpreters with lazy annotations this may raise for names that do not exist.
        note = inner.__annotations__.get("return", function)
    except Exception:
        text = _annotation_in_source(getattr(inner, "__name__", ""), source)
        return _unique(_names_of_text(text, scope)) if text else []
    if note is function:
        return []
    return _unique(_names_of(note, scope))


def _unique(names):
    out = []
    for name in names:
        name = _TODAY.get(name, name)
        if name not in out:
            out.append(name)
    if len(out) > 1 and "NoneType" in out:
        out.remove("NoneType")
    return out


def _names_of(note, scope):
    if note is None:
        return ["NoneType"]
    if isinstance(note, str):
        return _names_of_text(note, scope)
    text = getattr(note, "__forward_arg__", None)
    if text is not None:
        return _names_of_text(text, scope)
    args = getattr(note, "__args__", None)
    origin = getattr(note, "__origin__", None)
    if hasattr(note, "__metadata__") and origin is not None:
        return _names_of(origin, scope)
    if args is not None:
        kind = getattr(origin, "__name__", None) or getattr(origin, "_name", None) or type(note).__name__
        return _combine(kind, [_names_of(a, scope) for a in args])
    bound = getattr(note, "__bound__", None)
    if bound is not None and type(note).__name__ == "TypeVar":
        return _names_of(bound, scope)
    name = getattr(note, "__name__", None) or getattr(note, "_name", None)
    return [name or str(note).rpartition(".")[2]]


def _combine(kind, parts):
    if kind in _UNION:
        out = [n for part in parts for n in part]
        return out if kind != "Optional" else [n for n in out if n != "NoneType"] or out
    if kind in _UNWRAP and parts:
        return parts[-1] if kind == "Coroutine" else parts[0]
    if kind == "Annotated" and parts:
        return parts[0]
    return [kind]


def _names_of_text(text, scope):
    text = text.strip().strip("'\"").strip()
    if not text:
        return []
    alternatives = _split(text, "|")
    if len(alternatives) > 1:
        return [n for part in alternatives for n in _names_of_text(part, scope)]
    if text.endswith("]") and "[" in text:
        head, _, inside = text[:-1].partition("[")
        kind = head.rpartition(".")[2].strip()
        return _combine(kind, [_names_of_text(p, scope) for p in _split(inside, ",")])
    if text == "None":
        return ["NoneType"]
    head, _, last = text.rpartition(".")
    if not head:
        known = scope.get(last)
        name = getattr(known, "__name__", None)
        if isinstance(known, type) and name:
            return [name]
        if known is not None and not isinstance(known, type(scope)) and hasattr(known, "__args__"):
            return _names_of(known, {})
    return [last]


def _split(text, mark):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "[(":
            depth += 1
        elif c in "])":
            depth -= 1
        elif c == mark and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return parts


def _annotation_in_source(name, source):
    if not source or not name:
        return None
    import re

    found = None
    for match in re.finditer(r"\bdef\s+" + re.escape(name) + r"\s*\(", source):
        found = match
    if found is None:
        return None
    at = _after_bracket(source, found.end())
    tail = re.match(r"\s*->\s*", source[at:])
    if tail is None:
        return None
    start = at = at + tail.end()
    depth = 0
    while at < len(source) and not (source[at] == ":" and depth == 0):
        depth += {"[": 1, "]": -1}.get(source[at], 0)
        at += 1
    return source[start:at]


def _after_bracket(source, at):
    """The place after the bracket that closes the one before `at`; brackets in texts do not count."""
    depth, quote = 1, None
    while at < len(source) and depth:
        c = source[at]
        if quote is not None:
            if c == "\\":
                at += 1
            elif c == quote:
                quote = None
        elif c in "'\"":
            quote = c
        else:
            depth += {"(": 1, ")": -1}.get(c, 0)
        at += 1
    return at
