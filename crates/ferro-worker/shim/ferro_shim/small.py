"""Small classes and constants that components import by name."""

from types import SimpleNamespace  # noqa: F401 - offered under other names

from .errors import ValidationError

MESSAGE_SENDER_AI = "Machine"
MESSAGE_SENDER_USER = "User"
MESSAGE_SENDER_NAME_AI = "AI"
MESSAGE_SENDER_NAME_USER = "User"
DEFAULT_PROMPT_INTUT_TYPES = ["Message"]
STREAM_INFO_TEXT = "Stream the response from the model."
NODE_FORMAT_ATTRIBUTES = ["beta", "documentation", "icon", "metadata"]
FIELD_FORMAT_ATTRIBUTES = ["info", "display_name", "required", "list", "multiline", "password", "input_types"]
TABLE_SCHEMA = []
MAX_TAB_OPTIONS = 3
MAX_TAB_OPTION_LENGTH = 20
TOOL_OUTPUT_NAME = "component_as_tool"
TOOL_OUTPUT_DISPLAY_NAME = "Toolset"
TOOLS_METADATA_INPUT_NAME = "tools_metadata"


class Fields:
    """Named values with defaults; what is not known is kept."""

    _defaults = {}

    def __init__(self, **given):
        for key, value in self._defaults.items():
            self.__dict__[key] = value() if value in (list, dict) else value
        self.__dict__.update(given)

    def to_field(self):
        return {k: v for k, v in self.__dict__.items() if v is not None}

    def model_dump(self, **_options):
        return dict(self.__dict__)

    dict = model_dump

    def get(self, key, default=None):
        return self.__dict__.get(key, default)

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = object.__hash__

    def __repr__(self):
        inside = ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items())
        return f"{type(self).__name__}({inside})"


class RangeSpec(Fields):
    """Bounds and step of a number."""

    def __init__(self, min=-1.0, max=1.0, step=0.1, step_type="float"):
        if max < min:
            raise ValidationError(f"RangeSpec: the maximum {max} is below the minimum {min}.")
        if step <= 0:
            raise ValidationError("RangeSpec: the step must be greater than 0.")
        super().__init__(min=float(min), max=float(max), step=float(step), step_type=step_type)

    @classmethod
    def set_step_type(cls, step_type, range_spec):
        return cls(range_spec.min, range_spec.max, range_spec.step, step_type)


class FormatterType:
    text = "text"
    number = "number"
    date = "date"
    json = "json"
    boolean = "boolean"


class EditMode:
    MODAL = "modal"
    POPOVER = "popover"
    INLINE = "inline"


class Column(Fields):
    def __init__(self, name=None, display_name=None, type="str", **given):
        super().__init__(name=name, display_name=display_name or name, type=getattr(type, "value", type), **given)


class FieldValidator(Fields):
    pass


class TableSchema(Fields):
    _defaults = {"columns": list}


class FieldTypes:
    TEXT = "str"
    INTEGER = "int"
    FLOAT = "float"
    BOOLEAN = "bool"
    DICT = "dict"
    NESTED_DICT = "NestedDict"
    FILE = "file"
    PROMPT = "prompt"
    CODE = "code"
    OTHER = "other"
    TABLE = "table"
    SLIDER = "slider"
    TAB = "tab"
    QUERY = "query"
    LINK = "link"
    TOOLS = "tools"
    MCP = "mcp"
    MODEL = "model"


class ConditionalOptions(Fields):
    pass


class Properties(Fields):
    _defaults = {"text_color": None, "background_color": None, "edited": False, "source": None, "icon": None,
                 "allow_markdown": False, "positive_feedback": None, "state": "complete", "targets": list}


class Source(Fields):
    _defaults = {"id": None, "display_name": None, "source": None}


class ContentBlock(Fields):
    _defaults = {"title": "", "contents": list, "allow_markdown": True, "media_url": None}


class TextContent(Fields):
    _defaults = {"type": "text", "text": ""}


class ToolContent(Fields):
    _defaults = {"type": "tool_use", "name": None, "tool_input": dict, "output": None, "error": None}


class ErrorContent(Fields):
    _defaults = {"type": "error", "reason": None}


class JSONContent(Fields):
    _defaults = {"type": "json", "data": dict}


class CodeContent(Fields):
    _defaults = {"type": "code", "code": "", "language": "python"}


class MediaContent(Fields):
    _defaults = {"type": "media", "urls": list, "caption": None}


class Usage(Fields):
    _defaults = {"input_tokens": None, "output_tokens": None, "total_tokens": None}


class InputValueRequest(Fields):
    _defaults = {"components": list, "input_value": None, "session": None, "type": "any"}


class Image(Fields):
    _defaults = {"path": None, "url": None}


class ComponentBuildError(Exception):
    def __init__(self, message="", formatted_traceback=""):
        super().__init__(message)
        self.formatted_traceback = formatted_traceback


class StreamingError(Exception):
    pass


LoggableType = object
LogFunctionType = object
