"""Message: text with who said it, where and with which files."""

from .data import Data, plain
from .errors import ValidationError

_DEFAULTS = {
    "text": "",
    "sender": None,
    "sender_name": None,
    "session_id": "",
    "context_id": "",
    "files": list,
    "id": None,
    "timestamp": None,
    "flow_id": None,
    "run_id": None,
    "properties": dict,
    "category": "message",
    "content_blocks": list,
    "error": False,
    "edit": False,
    "duration": None,
    "session_metadata": dict,
}
FIELDS = tuple(_DEFAULTS)


def is_stream(value):
    return hasattr(value, "__anext__") or hasattr(value, "__next__")


def check_text(text):
    if text is None or isinstance(text, str) or is_stream(text):
        return text
    if isinstance(text, Message):
        return text.text
    raise ValidationError(
        f"Message: `text` must be a string, not {type(text).__name__}. Turn the value into text first, for example str(value)."
    )


class Message(Data):
    """A Data whose text is `text`; the text may be a generator, which is streamed."""

    def __init__(self, text="", data=None, text_key=None, default_value="", **extra):
        if isinstance(text, dict) and data is None:
            check_text(text)
        super().__init__(data, text_key, default_value, **extra)
        own = self.data
        if text != "" or "text" not in own:
            own["text"] = check_text(text)
        else:
            own["text"] = check_text(own["text"])
        files = own.get("files")
        if files is not None and not isinstance(files, list):
            own["files"] = [files]
        session = own.get("session_id")
        if session is not None and not isinstance(session, str):
            own["session_id"] = str(session)

    def __getattr__(self, name):
        data = self.__dict__.get("data")
        if data is not None:
            if name in data:
                return data[name]
            if name in _DEFAULTS:
                value = _DEFAULTS[name]
                if value is list or value is dict:
                    value = data[name] = value()
                elif name == "timestamp":
                    value = data[name] = now_text()
                return value
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        if name == "text":
            value = check_text(value)
        super().__setattr__(name, value)

    def get_text(self):
        text = self.data.get("text")
        if isinstance(text, str):
            return text
        if text is None:
            return ""
        if hasattr(text, "__next__"):
            text = self.data["text"] = "".join(piece_text(p) for p in text)
            return text
        from . import aio

        text = self.data["text"] = aio.run(join_async(text))
        return text

    def __str__(self):
        text = self.data.get("text")
        return text if isinstance(text, str) else "" if text is None else str(text)

    def __repr__(self):
        return f"Message(text={self.data.get('text')!r}, sender={self.data.get('sender')!r}, session_id={self.data.get('session_id', '')!r})"

    def format_text(self):
        """The template of `from_template` with its variables put in."""
        variables = self.data.get("variables") or {}
        text = fill_template(self.data.get("template") or self.get_text(), variables)
        self.data["text"] = text
        return text

    @classmethod
    def from_template(cls, template, **variables):
        message = cls(text="", template=template, variables=variables)
        message.format_text()
        return message

    @classmethod
    async def from_template_and_variables(cls, template, **variables):
        return cls.from_template(template, **variables)

    @classmethod
    def from_data(cls, data):
        if isinstance(data, Message):
            return data
        extra = {k: v for k, v in data.data.items() if k != "text"}
        return cls(text=data.get_text(), **{k: v for k, v in extra.items() if k in _DEFAULTS}, data={
            k: v for k, v in extra.items() if k not in _DEFAULTS
        })

    @classmethod
    def from_lc_message(cls, message):
        sender = {"human": "User", "ai": "Machine", "system": "System"}.get(getattr(message, "type", ""), "Machine")
        return cls(text=piece_text(message), sender=sender, sender_name="AI" if sender == "Machine" else sender)

    @classmethod
    async def create(cls, **fields):
        return cls(**fields)

    def is_complete(self):
        return isinstance(self.data.get("text"), str)

    def has_text(self):
        return bool(self.get_text())

    def has_files(self):
        return bool(self.data.get("files"))

    def to_data(self):
        data = {k: v for k, v in self.data.items()}
        data["text"] = self.get_text()
        return Data(data=data)

    def to_dataframe(self):
        from .frame import DataFrame

        return DataFrame(data=[self])

    def model_dump(self, **_options):
        out = {}
        for name in _DEFAULTS:
            out[name] = plain(getattr(self, name))
        for key, value in self.data.items():
            if key not in out:
                out[key] = plain(value)
        return out

    dict = model_dump


def piece_text(piece):
    """The text of one streamed piece: a string, a Message, or a chunk with `content`."""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Data):
        return piece.get_text()
    content = getattr(piece, "content", None)
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(p if isinstance(p, str) else str(p.get("text", "")) for p in content)
    return "" if piece is None else str(piece)


async def join_async(stream):
    parts = []
    async for piece in stream:
        parts.append(piece_text(piece))
    return "".join(parts)


def fill_template(template, variables):
    """Puts `{name}` values into a text; doubled braces stay single, unknown names stay as written."""
    import re

    def put(match):
        token = match.group(0)
        if token == "{{":
            return "{"
        if token == "}}":
            return "}"
        name = match.group(1)
        if name not in variables:
            return token
        value = variables[name]
        return value.get_text() if isinstance(value, Data) else str(value)

    return re.sub(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}", put, template)


def now_text():
    from datetime import datetime, timezone

    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")


class ErrorMessage(Message):
    """A message that tells of an error."""

    def __init__(self, exception=None, text="", **extra):
        super().__init__(text=text or str(exception or ""), error=True, category="error", **extra)


class MessageResponse(Message):
    pass


class DefaultModel(Data):
    pass
