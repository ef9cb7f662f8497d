"""Data: a dict with a text key, and attribute access to its keys."""

import copy as _copy
import json

from .errors import ValidationError

_OWN = ("data", "text_key", "default_value")


class Data:
    """A record. Keys of `data` are attributes; `text_key` names the one that is its text."""

    _text_key = "text"

    def __init__(self, data=None, text_key=None, default_value="", **extra):
        if isinstance(data, Data):
            text_key = text_key or data.text_key
            data = dict(data.data)
        elif data is None:
            data = {}
        elif not isinstance(data, dict):
            raise ValidationError(
                f"{type(self).__name__}: `data` must be a dict, not {type(data).__name__}. "
                f'Wrap it, for example {type(self).__name__}(data={{"value": …}}).'
            )
        else:
            data = dict(data)
        data.update(extra)
        fields = self.__dict__
        fields["data"] = data
        fields["text_key"] = text_key or self._text_key
        fields["default_value"] = default_value

    def __getattr__(self, name):
        data = self.__dict__.get("data")
        if data is not None and name in data:
            return data[name]
        if name == "text" and data is not None and self.text_key in data:
            return self.get_text()
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        if name == "data":
            if not isinstance(value, dict):
                raise ValidationError(f"`data` must be a dict, not {type(value).__name__}.")
            self.__dict__["data"] = value
        elif name in _OWN or name[:1] == "_":
            self.__dict__[name] = value
        elif isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            self.data[name] = value

    def __delattr__(self, name):
        if name in self.data:
            del self.data[name]
        else:
            object.__delattr__(self, name)

    def __getitem__(self, key):
        return self.data[key]

    def __setitem__(self, key, value):
        self.data[key] = value

    def __contains__(self, key):
        return key in self.data

    def __dir__(self):
        return [*super().__dir__(), *self.data]

    def keys(self):
        return self.data.keys()

    def values(self):
        return self.data.values()

    def items(self):
        return self.data.items()

    def get(self, key, default=None):
        return self.data.get(key, default)

    def get_text(self):
        value = self.data.get(self.text_key, self.default_value)
        return value if isinstance(value, str) else "" if value is None else str(value)

    def set_text(self, text):
        text = "" if text is None else text if isinstance(text, str) else str(text)
        self.data[self.text_key] = text
        return text

    def filter_data(self, filter_str):
        """The value at a dotted path such as `user.tags[0]`."""
        value = self.data
        for part in str(filter_str).replace("[", ".").replace("]", "").strip(".").split("."):
            if isinstance(value, list) and part.lstrip("-").isdigit():
                value = value[int(part)]
            elif isinstance(value, Data):
                value = value.data[part]
            elif part:
                value = value[part]
        return value

    def __add__(self, other):
        """Numbers and texts of equal keys add up; other keys join."""
        merged = _copy.deepcopy(self.data)
        for key, value in other.data.items():
            if key not in merged:
                merged[key] = value
                continue
            try:
                merged[key] = merged[key] + value
            except TypeError:
                merged[key] = value
        return type(self)(data=merged, text_key=self.text_key)

    def __eq__(self, other):
        return isinstance(other, Data) and self.data == other.data

    __hash__ = None

    def __len__(self):
        return len(self.data)

    def __bool__(self):
        return True

    def __iter__(self):
        return iter(self.data.items())

    def __str__(self):
        try:
            return json.dumps(self.data, ensure_ascii=False, indent=4, default=str)
        except (TypeError, ValueError):
            return str(self.data)

    def __repr__(self):
        return f"{type(self).__name__}(text_key={self.text_key!r}, data={self.data!r}, default_value={self.default_value!r})"

    def __copy__(self):
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.__dict__["data"] = dict(self.data)
        return twin

    def __deepcopy__(self, memo):
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for key, value in self.__dict__.items():
            twin.__dict__[key] = _copy.deepcopy(value, memo)
        return twin

    def copy(self):
        return _copy.copy(self)

    def model_copy(self, update=None, deep=False):
        twin = _copy.deepcopy(self) if deep else _copy.copy(self)
        for key, value in (update or {}).items():
            setattr(twin, key, value)
        return twin

    def to_dict(self):
        return dict(self.data)

    def model_dump(self, **_options):
        return {"text_key": self.text_key, "data": plain(self.data), "default_value": self.default_value}

    dict = model_dump

    def model_dump_json(self, indent=None, **_options):
        return json.dumps(self.model_dump(), indent=indent, default=str)

    json = model_dump_json

    @classmethod
    def model_validate(cls, value):
        if isinstance(value, cls):
            return value
        if isinstance(value, Data):
            return cls(data=dict(value.data), text_key=value.text_key)
        if not isinstance(value, dict_type):
            raise ValidationError(f"{cls.__name__} needs a dict, not {type(value).__name__}.")
        return cls(**value)

    @classmethod
    def from_document(cls, document):
        data = dict_type(getattr(document, "metadata", None) or {})
        data["text"] = document.page_content
        return cls(data=data, text_key="text")

    @classmethod
    def from_lc_message(cls, message):
        return cls(data={"text": message.content, "metadata": message.model_dump()}, text_key="text")

    def to_lc_document(self):
        from .langchain import Document

        rest = {k: v for k, v in self.data.items() if k != self.text_key}
        return Document(page_content=self.get_text(), metadata=rest)

    def to_lc_message(self):
        from .langchain import AIMessage, HumanMessage

        kind = HumanMessage if self.data.get("sender") == "User" else AIMessage
        return kind(content=self.get_text())

    def to_data(self):
        return self

    def to_message(self):
        from .message import Message

        return Message(text=self.get_text() if self.text_key in self.data else str(self))

    def to_dataframe(self):
        from .frame import DataFrame

        lists = [v for v in self.data.values() if isinstance(v, list)]
        if len(self.data) == 1 and lists and all(isinstance(r, dict_type) for r in lists[0]):
            return DataFrame(lists[0])
        return DataFrame([self])


dict_type = dict


def plain(value):
    """Nested records as dicts."""
    if isinstance(value, Data):
        return value.model_dump()
    if isinstance(value, dict_type):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


JSON = Data
