"""CustomComponent: the old style, with `build_config()` and `build()`."""

from .component import Component
from .data import Data
from .inputs import INPUT_CLASSES, Input
from .output import Output, return_types
from .schemas import annotations_of

_KINDS = {
    "str": "StrInput", "int": "IntInput", "float": "FloatInput", "bool": "BoolInput", "dict": "DictInput",
    "list": "StrInput", "Data": "DataInput", "JSON": "DataInput", "Message": "MessageInput", "Text": "MessageTextInput",
    "DataFrame": "DataFrameInput", "NestedDict": "NestedDictInput", "Prompt": "PromptInput", "Code": "CodeInput",
}


class CustomComponent(Component):
    """Fields come from `build_config()` and the signature of `build()`."""

    field_config = {}
    field_order = None

    def build_config(self):
        return dict(self.field_config)

    @classmethod
    def _is_old(cls):
        return not cls.outputs and cls.build is not Component.build

    @classmethod
    def _declared_inputs(cls):
        if not cls._is_old():
            return cls.inputs or []
        function = cls.build
        code = function.__code__
        names = [n for n in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]]
        notes = annotations_of(function)
        defaults = function.__defaults__ or ()
        given = dict(zip(code.co_varnames[: code.co_argcount][code.co_argcount - len(defaults) :], defaults))
        config = cls.build_config(object.__new__(cls)) or {}
        order = [n for n in cls.field_order or [] if n in names]
        return [cls._field(n, notes.get(n), given, config.get(n)) for n in [*order, *(n for n in names if n not in order)]]

    @classmethod
    def _field(cls, name, note, given, config):
        from .output import _names_of

        if hasattr(config, "to_dict"):
            return config
        config = dict(config or {})
        listed = str(note).startswith(("list[", "List[", "typing.List["))
        kinds = _names_of(note, {}) if note is not None else ["str"]
        made = INPUT_CLASSES.get(_KINDS.get(kinds[0] if kinds else "str", ""))
        word = config.get("field_type") or config.get("type")
        if word:
            made = INPUT_CLASSES.get(_KINDS.get(word, "")) or Input
            if made is not Input:
                config = {k: v for k, v in config.items() if k not in ("field_type", "type")}
        if config.get("options"):
            made = INPUT_CLASSES["DropdownInput"]
        if config.get("password"):
            made = INPUT_CLASSES["SecretStrInput"]
        options = {"name": name, "required": name not in given, "display_name": name.replace("_", " ").title()}
        if name in given and given[name] is not None:
            options["value"] = given[name]
        if listed:
            options["is_list"] = True
        if made is None:
            made = INPUT_CLASSES["HandleInput"]
            options["input_types"] = kinds
        options.update(config)
        options["name"] = name
        return made(**options)

    @classmethod
    def _declared_outputs(cls):
        if not cls._is_old():
            return cls.outputs or []
        types = return_types(cls.build)
        return [Output(name="output", display_name=types[0] if types else "Output", method="_build_old", types=types)]

    def _build_old(self):
        names = type(self)._spec().inputs
        return self.build(**{n: self._attributes[n] for n in names})

    def to_data(self, data, keys=None, *, silent_errors=False):
        items = data if isinstance(data, (list, tuple)) else [data]
        out = []
        for item in items:
            if isinstance(item, Data):
                out.append(item)
            elif isinstance(item, dict):
                out.append(Data(data={k: item.get(k) for k in keys} if keys else item))
            elif hasattr(item, "page_content"):
                out.append(Data.from_document(item))
            else:
                out.append(Data(data={"text": str(item)}))
        return out

    def create_references_from_data(self, data, *, include_data=False):
        if not data:
            return ""
        lines = [f"- {item.get_text()}" if not include_data else f"- {item.get_text()}: {item.data}" for item in data]
        return "---\n" + "\n".join(lines)

    @property
    def keys(self):
        return self.get_variable
