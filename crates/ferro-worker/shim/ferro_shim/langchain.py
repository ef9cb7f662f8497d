"""Stand-ins for the few LangChain classes that components import."""

from .errors import ValidationError


class Document:
    def __init__(self, page_content="", metadata=None, **extra):
        if not isinstance(page_content, str):
            raise ValidationError(f"Document: `page_content` must be a text, not {type(page_content).__name__}.")
        self.page_content = page_content
        self.metadata = dict(metadata or {})
        self.id = extra.pop("id", None)
        self.__dict__.update(extra)

    def __eq__(self, other):
        return isinstance(other, Document) and (self.page_content, self.metadata) == (other.page_content, other.metadata)

    __hash__ = object.__hash__

    def __repr__(self):
        return f"Document(page_content={self.page_content!r}, metadata={self.metadata!r})"


class BaseMessage:
    type = "base"

    def __init__(self, content="", **extra):
        self.content = content
        self.additional_kwargs = {}
        self.response_metadata = {}
        self.id = None
        self.name = None
        self.__dict__.update(extra)

    @property
    def text(self):
        from .message import piece_text

        return piece_text(self)

    def model_dump(self, **_options):
        return {"type": self.type, **self.__dict__}

    dict = model_dump

    def __repr__(self):
        return f"{type(self).__name__}(content={self.content!r})"

    def __eq__(self, other):
        return type(self) is type(other) and self.content == other.content

    __hash__ = object.__hash__


class HumanMessage(BaseMessage):
    type = "human"


class AIMessage(BaseMessage):
    type = "ai"

    def __init__(self, content="", **extra):
        super().__init__(content, **{"tool_calls": [], "usage_metadata": None, **extra})


class AIMessageChunk(AIMessage):
    def __add__(self, other):
        return AIMessageChunk(content=self.content + other.content)


class SystemMessage(BaseMessage):
    type = "system"


class ToolMessage(BaseMessage):
    type = "tool"


class ChatMessage(BaseMessage):
    type = "chat"


class Chained:
    """Steps joined with `|`."""

    def __init__(self, *steps):
        self._steps = steps

    def invoke(self, value, config=None):
        for step in self._steps:
            value = step.invoke(value) if hasattr(step, "invoke") else step(value)
        return value

    async def ainvoke(self, value, config=None):
        for step in self._steps:
            if hasattr(step, "ainvoke"):
                value = await step.ainvoke(value)
            else:
                value = step.invoke(value) if hasattr(step, "invoke") else step(value)
        return value

    def __or__(self, after):
        return Chained(*self._steps, after)


class _Step:
    def __or__(self, after):
        return Chained(self, after)

    async def ainvoke(self, value, config=None):
        return self.invoke(value)


class StrOutputParser(_Step):
    def invoke(self, value, config=None):
        from .message import piece_text

        return piece_text(value)

    parse = invoke


class JsonOutputParser(StrOutputParser):
    def invoke(self, value, config=None):
        import json

        text = super().invoke(value).strip()
        if text.startswith("```"):
            text = text.split("\n", 1)[-1].rsplit("```", 1)[0]
        return json.loads(text)

    parse = invoke


class PromptTemplate(_Step):
    def __init__(self, template="", input_variables=None, **_options):
        self.template = template
        self.input_variables = input_variables or _variables(template)

    @classmethod
    def from_template(cls, template, **options):
        return cls(template, **options)

    def format(self, **values):
        return self.template.format(**values)

    def invoke(self, values, config=None):
        return self.format(**values)


class ChatPromptTemplate(_Step):
    def __init__(self, messages=()):
        self.messages = list(messages)

    @classmethod
    def from_messages(cls, messages):
        return cls(messages)

    @classmethod
    def from_template(cls, template):
        return cls([("human", template)])

    def format_messages(self, **values):
        kinds = {"human": HumanMessage, "user": HumanMessage, "ai": AIMessage, "assistant": AIMessage, "system": SystemMessage}
        out = []
        for item in self.messages:
            if isinstance(item, tuple):
                out.append(kinds[item[0]](content=item[1].format(**values)))
            else:
                out.append(item)
        return out

    def invoke(self, values, config=None):
        return self.format_messages(**values)


def _variables(template):
    import string

    return sorted({name for _, name, _, _ in string.Formatter().parse(template) if name})
