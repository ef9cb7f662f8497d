"""Every input class a component can declare."""

from . import convert
from .errors import ValidationError
from .inputs_base import FROM_DB, LISTABLE, META, TOOL, TRACED, BaseInput


class StrInput(BaseInput):
    _keys = (LISTABLE, TOOL, META, FROM_DB)
    _convert = staticmethod(convert.to_text)
    _per_item = True


class MessageInput(StrInput):
    _keys = (LISTABLE, TOOL, META, TRACED, FROM_DB)
    _own = {"input_types": ["Message"]}
    _convert = staticmethod(convert.to_message)


class MessageTextInput(StrInput):
    _keys = (LISTABLE, TOOL, META, TRACED, FROM_DB)
    _own = {"input_types": ["Message"]}


class MultilineInput(MessageTextInput):
    _own = {"multiline": True, "copy_field": False, "ai_enabled": False, "password": False}


class MultilineSecretInput(MessageTextInput):
    _own = {"multiline": True, "password": True, "track_in_telemetry": False}


class SecretStrInput(BaseInput):
    _keys = (FROM_DB,)
    _own = {"password": True, "load_from_db": True, "input_types": [], "track_in_telemetry": False}
    _convert = staticmethod(convert.to_text)


class IntInput(BaseInput):
    field_kind = "int"
    _keys = (LISTABLE, TOOL, META)
    _own = {"range_spec": None, "track_in_telemetry": True}
    _convert = staticmethod(convert.to_int)
    _per_item = True


class FloatInput(IntInput):
    field_kind = "float"
    _convert = staticmethod(convert.to_float)


class BoolInput(BaseInput):
    field_kind = "bool"
    _keys = (LISTABLE, TOOL, META)
    _own = {"value": False, "track_in_telemetry": True}
    _convert = staticmethod(convert.to_bool)
    _per_item = True


class DropdownInput(BaseInput):
    _keys = (TOOL, META)
    _own = {
        "options": [],
        "options_metadata": [],
        "combobox": False,
        "dialog_inputs": {},
        "external_options": {},
        "toggle": False,
        "toggle_value": None,
        "toggle_disable": None,
        "track_in_telemetry": True,
    }
    _convert = staticmethod(convert.to_text)


class MultiselectInput(BaseInput):
    _keys = (LISTABLE, TOOL, META)
    _own = {"options": [], "list": True, "combobox": False, "toggle": False, "value": []}
    _convert = staticmethod(convert.to_list)


class TabInput(BaseInput):
    field_kind = "tab"
    _keys = (TOOL, META)
    _own = {"options": [], "track_in_telemetry": True}
    _convert = staticmethod(convert.to_text)

    def _check(self):
        options = self.__dict__.get("options") or []
        if len(options) > 3:
            raise ValidationError(f"The tab `{self.name}` has {len(options)} options; at most 3 fit.")
        for option in options:
            if len(str(option)) > 20:
                raise ValidationError(f"The tab option “{option}” is longer than 20 characters.")


class DictInput(BaseInput):
    field_kind = "dict"
    _keys = (LISTABLE, TOOL, TRACED)
    _own = {"value": {}}
    _convert = staticmethod(convert.to_dict)


class NestedDictInput(BaseInput):
    field_kind = "NestedDict"
    _keys = (LISTABLE, TOOL, META, TRACED)
    _own = {"value": {}}
    _convert = staticmethod(convert.to_dict)


class TableInput(BaseInput):
    field_kind = "table"
    _keys = (LISTABLE, TOOL, META)
    _own = {
        "list": True,
        "value": [],
        "input_types": ["DataFrame", "Table"],
        "table_schema": None,
        "table_options": None,
        "trigger_text": "Open table",
        "trigger_icon": "Table",
        "table_icon": "Table",
    }
    _convert = staticmethod(convert.to_rows)

    def to_dict(self):
        # Tables are written with both spellings: readers of either find it.
        return {**super().to_dict(), "is_list": bool(self.list)}


class HandleInput(BaseInput):
    field_kind = "other"
    _keys = (LISTABLE, META)
    _own = {"input_types": []}


class JSONInput(BaseInput):
    field_kind = "other"
    _keys = (LISTABLE, TOOL, META, TRACED)
    _own = {"input_types": ["Data", "JSON"]}
    _convert = staticmethod(convert.to_data)


DataInput = JSONInput


class DataFrameInput(JSONInput):
    _own = {"input_types": ["DataFrame", "Table"]}
    _convert = staticmethod(convert.to_frame)


_CONNECT = {
    "fields": {
        "data": {
            "node": {
                "name": "connect_other_models",
                "display_name": "Connect other models",
                "icon": "CornerDownLeft",
            }
        }
    }
}


class ModelInput(BaseInput):
    field_kind = "model"
    _keys = (LISTABLE, TOOL, TRACED)
    _own = {
        "model_type": "language",
        "placeholder": "Setup Provider",
        "refresh_button": True,
        "external_options": _CONNECT,
        "options": None,
        "filters": None,
        "limit": None,
    }

    def _check(self):
        if not self.input_types:
            self.input_types = ["Embeddings"] if self.model_type == "embedding" else ["LanguageModel"]


class FileInput(BaseInput):
    field_kind = "file"
    _keys = (LISTABLE, TOOL, META)
    _own = {"file_path": "", "fileTypes": [], "temp_file": False}

    def _check(self):
        kinds = self.__dict__.get("fileTypes") or []
        self.fileTypes = [str(k).lstrip(".") for k in kinds]


class PromptInput(BaseInput):
    field_kind = "prompt"
    _keys = (LISTABLE, TOOL, TRACED)
    _convert = staticmethod(convert.to_text)


class MustachePromptInput(PromptInput):
    field_kind = "mustache"


class CodeInput(BaseInput):
    field_kind = "code"
    _keys = (LISTABLE, TOOL, TRACED)
    _convert = staticmethod(convert.to_text)


class LinkInput(BaseInput):
    field_kind = "link"
    _keys = (TOOL,)
    _own = {"text": None, "icon": None}


class SliderInput(BaseInput):
    field_kind = "slider"
    _keys = (TOOL,)
    _own = {
        "range_spec": {"min": -1.0, "max": 1.0, "step": 0.1, "step_type": "float"},
        "min_label": "",
        "max_label": "",
        "min_label_icon": "",
        "max_label_icon": "",
        "slider_buttons": False,
        "slider_buttons_options": [],
        "slider_input": False,
        "slider_color": "default",
        "value_inverted": False,
    }
    _convert = staticmethod(convert.to_slider)


class QueryInput(MessageTextInput):
    field_kind = "query"
    _own = {"separator": None}


class SortableListInput(BaseInput):
    field_kind = "sortableList"
    _keys = (TOOL, META)
    _own = {"options": [], "search_category": [], "limit": None, "helper_text_metadata": None}
    _convert = staticmethod(convert.to_list)


class ConnectionInput(BaseInput):
    field_kind = "connect"
    _keys = (TOOL, META)
    _own = {"options": [], "search_category": [], "connection_link": "", "button_metadata": {}}


class AuthInput(BaseInput):
    field_kind = "auth"
    _keys = (META,)
    _own = {"show": False, "options": []}


class McpInput(BaseInput):
    field_kind = "mcp"
    _keys = (META,)
    _own = {"value": {}}


class ToolsInput(BaseInput):
    field_kind = "tools"
    _keys = (LISTABLE, META)
    _own = {"list": True, "real_time_refresh": True, "value": []}
    _convert = staticmethod(convert.to_list)


class ActionPickerInput(BaseInput):
    field_kind = "actionPicker"
    _keys = (LISTABLE, TOOL, META)
    _own = {"options": [], "list": True, "combobox": True, "toggle": False, "value": []}
    _convert = staticmethod(convert.to_list)


class DurationInput(BaseInput):
    field_kind = "duration"
    _keys = (TOOL, META)
    _own = {"options": ["Minutes", "Hours", "Days"], "value": {}}
    _convert = staticmethod(convert.to_dict)


class DataDisplayInput(BaseInput):
    field_kind = "data_display"
    _own = {"button_text": "", "button_icon": ""}


class DBProviderInput(BaseInput):
    field_kind = "knowledge_backend"
    _keys = (TOOL, TRACED)
    _own = {"input_types": [], "value": {}}
    _convert = staticmethod(convert.to_dict)


class DefaultPromptField(BaseInput):
    _keys = (FROM_DB, TOOL, META)
    _own = {"multiline": True, "input_types": ["Message"], "advanced": False}
    _convert = staticmethod(convert.to_text)


class Input(BaseInput):
    """A field of the old kind, whose type is a word of its own."""

    _keys = (LISTABLE, TOOL, META)
    _own = {"multiline": None, "password": None, "options": None, "load_from_db": None}


INPUT_CLASSES = {
    name: cls
    for name, cls in list(globals().items())
    if isinstance(cls, type) and issubclass(cls, BaseInput) and cls is not BaseInput
}
