"""A small part of pydantic, for where the real one is not installed."""

import json

from .errors import ValidationError
from .schemas import type_schema

_NO = object()
text_type, whole_type = str, int


class FieldInfo:
    def __init__(self, default=_NO, default_factory=None, description=None, **extra):
        self.default = _NO if default is ... else default
        self.default_factory = default_factory
        self.description = description
        self.annotation = None
        self.extra = extra

    def is_required(self):
        return self.default is _NO and self.default_factory is None

    def make(self):
        if self.default_factory is not None:
            return self.default_factory()
        if isinstance(self.default, (list, dict, set)):
            import copy

            return copy.deepcopy(self.default)
        return self.default


def Field(default=_NO, **options):  # noqa: N802 - the name people import
    return FieldInfo(default, **options)


def PrivateAttr(default=None, default_factory=None):  # noqa: N802 - the name people import
    return default_factory() if default_factory else default


def ConfigDict(**options):  # noqa: N802 - the name people import
    return options


class _Validator:
    def __init__(self, function, names, mode, whole):
        self.function = getattr(function, "__func__", function)
        self.names, self.mode, self.whole = names, mode, whole


def _decorator(whole):
    def outer(*names, mode="after", pre=False, **_options):
        bare = len(names) == 1 and callable(names[0]) and not isinstance(names[0], str)

        def inner(function):
            return _Validator(function, names if not bare else (), "before" if pre else mode, whole)

        return inner(names[0]) if bare else inner

    return outer


field_validator = _decorator(False)
validator = _decorator(False)
model_validator = _decorator(True)
root_validator = _decorator(True)


def computed_field(function=None, **_options):
    return function if function is not None else (lambda f: f)


class BaseModel:
    model_config = {}
    model_fields = {}
    _validators = ()

    def __init_subclass__(cls, **_options):
        super().__init_subclass__()
        fields = dict(cls.model_fields)
        try:
            notes = dict(cls.__dict__.get("__annotations__") or cls.__annotations__)
        except Exception:
            notes = {}
        for name, note in notes.items():
            if name[:1] == "_" or name == "model_config" or "ClassVar" in str(note):
                continue
            value = cls.__dict__.get(name, _NO)
            info = value if isinstance(value, FieldInfo) else FieldInfo(value)
            info.annotation = note
            for item in getattr(note, "__metadata__", ()):
                if isinstance(item, FieldInfo):
                    info.description = info.description or item.description
                    info.extra = {**item.extra, **info.extra}
            fields[name] = info
            if isinstance(value, FieldInfo):
                delattr(cls, name)
        cls.model_fields = fields
        cls._validators = (*cls._validators, *(v for v in cls.__dict__.values() if isinstance(v, _Validator)))

    def __init__(self, **given):
        cls = type(self)
        for rule in cls._validators:
            if rule.whole and rule.mode == "before":
                given = rule.function(cls, given)
        problems = []
        for name, info in cls.model_fields.items():
            key = name if name in given else info.extra.get("alias", name)
            if key not in given:
                if info.is_required():
                    problems.append((name, "is missing"))
                else:
                    self.__dict__[name] = info.make()
                continue
            try:
                self.__dict__[name] = self._field(name, info, given[key])
            except (ValueError, AssertionError) as error:
                problems.append((name, str(error)))
        extra = {k: v for k, v in given.items() if k not in cls.model_fields}
        mode = cls.model_config.get("extra") if isinstance(cls.model_config, dict) else None
        if mode == "allow":
            self.__dict__.update(extra)
        elif mode == "forbid":
            problems += [(k, "is not a field") for k in extra]
        if problems:
            told = "; ".join(f"`{name}` {text}" for name, text in problems)
            raise ValidationError(f"{cls.__name__}: {told}", problems)
        for rule in cls._validators:
            if rule.whole and rule.mode != "before":
                rule.function(self)
        self.model_post_init(None)

    def model_post_init(self, _context):
        pass

    def _field(self, name, info, value):
        for rule in self._validators:
            if not rule.whole and rule.mode == "before" and name in rule.names:
                value = rule.function(type(self), value)
        value = check(value, info.annotation)
        _bounds(value, info.extra)
        for rule in self._validators:
            if not rule.whole and rule.mode != "before" and name in rule.names:
                value = rule.function(type(self), value)
        return value

    @classmethod
    def model_validate(cls, value, **_options):
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            raise ValidationError(f"{cls.__name__} needs a dict, not {type(value).__name__}.")
        return cls(**value)

    parse_obj = model_validate

    @classmethod
    def model_validate_json(cls, text, **_options):
        try:
            value = json.loads(text)
        except ValueError as error:
            raise ValidationError(f"{cls.__name__}: the text is not JSON ({error}).") from None
        return cls.model_validate(value)

    parse_raw = model_validate_json

    @classmethod
    def model_construct(cls, **given):
        made = object.__new__(cls)
        for name, info in cls.model_fields.items():
            if not info.is_required():
                made.__dict__[name] = info.make()
        made.__dict__.update(given)
        return made

    def model_dump(self, exclude_none=False, exclude=None, include=None, mode=None, **_options):
        out = {}
        for name, value in self.__dict__.items():
            if name[:1] == "_" or (exclude_none and value is None) or (exclude and name in exclude):
                continue
            if include is None or name in include:
                out[name] = _dump(value, exclude_none)
        return out

    def dict(self, **options):
        return self.model_dump(**options)

    def model_dump_json(self, indent=None, **options):
        return json.dumps(self.model_dump(**options), indent=indent, default=str)

    json = model_dump_json

    @classmethod
    def model_json_schema(cls, **_options):
        props, required = {}, []
        for name, info in cls.model_fields.items():
            entry = type_schema(info.annotation)
            if info.description:
                entry["description"] = info.description
            for ours, theirs in (("ge", "minimum"), ("le", "maximum"), ("gt", "exclusiveMinimum"), ("lt", "exclusiveMaximum"),
                                 ("min_length", "minLength"), ("max_length", "maxLength"), ("pattern", "pattern")):
                if ours in info.extra:
                    entry[theirs] = info.extra[ours]
            if info.is_required():
                required.append(name)
            elif info.default_factory is None:
                entry["default"] = _dump(info.default, False)
            props[name] = entry
        out = {"title": cls.__name__, "type": "object", "properties": props}
        if required:
            out["required"] = required
        if cls.__dict__.get("__doc__"):
            out["description"] = cls.__doc__.strip()
        return out

    @classmethod
    def schema(cls):
        return cls.model_json_schema()

    def model_copy(self, update=None, deep=False):
        import copy

        made = copy.deepcopy(self) if deep else copy.copy(self)
        made.__dict__.update(update or {})
        return made

    copy = model_copy

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None

    def __iter__(self):
        return iter(self.__dict__.items())

    def __repr__(self):
        inside = ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items() if k[:1] != "_")
        return f"{type(self).__name__}({inside})"

    __str__ = __repr__


def _dump(value, exclude_none):
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_none=exclude_none)
    if isinstance(value, list):
        return [_dump(v, exclude_none) for v in value]
    if isinstance(value, dict_kind):
        return {k: _dump(v, exclude_none) for k, v in value.items()}
    return value


dict_kind = dict


def _bounds(value, extra):
    for name, bad, word in (
        ("ge", lambda v, b: v < b, "at least"), ("gt", lambda v, b: v <= b, "greater than"),
        ("le", lambda v, b: v > b, "at most"), ("lt", lambda v, b: v >= b, "less than"),
    ):
        if extra.get(name) is not None and isinstance(value, (int, float)) and bad(value, extra[name]):
            raise ValidationError(f"must be {word} {extra[name]}")
    if extra.get("min_length") is not None and hasattr(value, "__len__") and len(value) < extra["min_length"]:
        raise ValidationError(f"must have at least {extra['min_length']} characters or items")
    if extra.get("max_length") is not None and hasattr(value, "__len__") and len(value) > extra["max_length"]:
        raise ValidationError(f"must have at most {extra['max_length']} characters or items")
    if extra.get("pattern") and isinstance(value, str):
        import re

        if not re.search(extra["pattern"], value):
            raise ValidationError(f"must match {extra['pattern']}")


def check(value, note):
    """The value as its annotation wants it; what cannot be read passes."""
    from .model_check import fit

    return fit(value, note)


def create_model(name, __base__=None, **fields):
    body = {"__annotations__": {}}
    for field, spec in fields.items():
        kind, default = spec if isinstance(spec, tuple) else (type(spec), spec)
        body["__annotations__"][field] = kind
        body[field] = default if isinstance(default, FieldInfo) else FieldInfo(default)
    return type(name, (__base__ or BaseModel,), body)


class SecretStr:
    def __init__(self, value):
        self._value = str(value)

    def get_secret_value(self):
        return self._value

    def __str__(self):
        return "**********" if self._value else ""

    __repr__ = __str__

    def __len__(self):
        return len(self._value)

    def __eq__(self, other):
        return isinstance(other, SecretStr) and self._value == other._value

    __hash__ = object.__hash__


class TypeAdapter:
    def __init__(self, kind):
        self._kind = kind

    def validate_python(self, value):
        return check(value, self._kind)

    def validate_json(self, text):
        return check(json.loads(text), self._kind)

    def json_schema(self):
        return type_schema(self._kind)


class TextType(str):
    pass


int_type, str_type = whole_type, text_type


def conint(**_options):
    return int


def constr(**_options):
    return str


def confloat(**_options):
    return float
