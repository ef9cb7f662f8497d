"""What all input classes share: keys, defaults, serialisation."""

import copy as _copy

from . import convert
from .errors import ValidationError

COMMON = {
    "required": False,
    "placeholder": "",
    "show": True,
    "name": None,
    "value": "",
    "display_name": None,
    "advanced": False,
    "dynamic": False,
    "info": "",
    "helper_text": None,
    "title_case": False,
    "override_skip": False,
    "input_types": None,
    "real_time_refresh": None,
    "refresh_button": None,
    "refresh_button_text": None,
    "api_editable": False,
    "track_in_telemetry": False,
}
LISTABLE = {"list": False, "list_add_label": "Add More"}
TOOL = {"tool_mode": False}
META = {"trace_as_metadata": True}
TRACED = {"trace_as_input": True}
FROM_DB = {"load_from_db": False}

_SPELLINGS = {"is_list": "list", "field_type": "type", "file_types": "fileTypes"}
# Python names of keys that are written differently in the flow document.
_READ_AS = {"is_list": "list", "field_type": "type", "file_types": "fileTypes"}


def is_simple(value):
    return value is None or isinstance(value, (str, int, float, bool))


class BaseInput:
    """A field of a component. Every keyword is kept, known or not."""

    field_kind = "str"
    _keys = ()
    _own = {}
    _convert = staticmethod(convert.as_is)
    _defaults = None
    _per_item = False

    def __init__(self, **given):
        cls = type(self)
        defaults = cls.__dict__.get("_defaults")
        if defaults is None:
            defaults = cls._defaults = cls._collect()
        fields = self.__dict__
        for key, value in defaults.items():
            fields[key] = value if is_simple(value) else _copy.deepcopy(value)
        for key, value in given.items():
            fields[_SPELLINGS.get(key, key)] = value
        if not isinstance(fields["name"], str) or not fields["name"]:
            raise ValidationError(f"{cls.__name__} needs a `name`.")
        if fields["display_name"] is None:
            fields["display_name"] = fields["name"]
        self._check()

    @classmethod
    def _collect(cls):
        out = dict(COMMON)
        for group in cls._keys:
            out.update(group)
        for base in reversed(cls.__mro__):
            out.update(base.__dict__.get("_own", {}))
        out["type"] = cls.field_kind
        # A user's subclass may set defaults as class attributes, as the original's fields allow.
        for base in reversed(cls.__mro__):
            for key, value in base.__dict__.items():
                key = _SPELLINGS.get(key, key)
                if key in out and not callable(value) and not isinstance(value, property):
                    out[key] = value
        return out

    def _check(self):
        pass

    def __getattr__(self, name):
        alias = _READ_AS.get(name)
        if alias is not None:
            try:
                return self.__dict__[alias]
            except KeyError:
                pass
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        self.__dict__[_SPELLINGS.get(name, name)] = value

    def convert(self, value):
        """The value a component reads, from what it was given."""
        if self._per_item and isinstance(value, (list, tuple)) and self.__dict__.get("list"):
            return [self._convert(self, v) for v in value]
        return self._convert(self, value)

    def to_dict(self):
        """The field object of the flow document; keys without a value are left out."""
        from .wire import to_wire

        out = {}
        for key, value in self.__dict__.items():
            if key[:1] == "_":
                continue
            if value is None and key != "value":
                continue
            out[key] = value if is_simple(value) and not isinstance(value, float) else to_wire(_dump(value))
        out["_input_type"] = type(self).__name__
        return out

    def model_dump(self, **_options):
        return self.to_dict()

    def copy(self):
        twin = object.__new__(type(self))
        twin.__dict__.update({k: v if is_simple(v) else _copy.deepcopy(v) for k, v in self.__dict__.items()})
        return twin

    def __repr__(self):
        return f"{type(self).__name__}(name={self.name!r})"

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = object.__hash__


def _dump(value):
    """Helper objects such as RangeSpec or table columns as dicts."""
    if isinstance(value, BaseInput):
        return value.to_dict()
    if isinstance(value, dict):
        return {k: _dump(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_dump(v) for v in value]
    dump = getattr(value, "to_field", None)
    return dump() if dump is not None else value
