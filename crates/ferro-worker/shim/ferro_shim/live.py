"""Things that live in the host: models, tools, and what has no form here."""

from .data import Data
from .errors import server_only
from .events import ask
from .message import Message, piece_text
from .tools import BaseTool
from .wire import from_wire, to_wire


class HostTool(BaseTool):
    """A tool of another node; calling it asks the host."""

    def __init__(self, ref, told):
        super().__init__(name=told.get("name") or "tool", description=told.get("description") or "")
        self._ref = ref
        self._schema = told.get("schema") or {"type": "object", "properties": {}}

    def _run(self, *args, **kwargs):
        arguments = kwargs or (args[0] if args and isinstance(args[0], dict) else {"input": args[0]} if args else {})
        return from_wire(ask({"ask": "tool_call", "ref": self._ref, "name": self.name, "arguments": to_wire(arguments)}))

    async def _arun(self, *args, **kwargs):
        return self._run(*args, **kwargs)


class Live:
    """An object of the host that can only be passed on."""

    def __init__(self, wire):
        self._wire = wire

    @property
    def kind(self):
        return self._wire.get("kind")

    def __getattr__(self, name):
        if name[:1] == "_":
            raise AttributeError(name)
        raise server_only(f"`{name}` of this {self._wire.get('kind') or 'live'} object")

    def __repr__(self):
        return f"<{self._wire.get('kind')} of the server>"


_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "User": "user", "Machine": "assistant"}


def _chat(given):
    """Messages as role and content, from any form people pass to a model."""
    if isinstance(given, dict) and "messages" in given:
        given = given["messages"]
    if hasattr(given, "to_messages"):
        given = given.to_messages()
    if not isinstance(given, (list, tuple)):
        given = [given]
    out = []
    for item in given:
        if isinstance(item, tuple) and len(item) == 2:
            role, content = _ROLES.get(item[0], item[0]), item[1]
        elif isinstance(item, dict):
            role, content = _ROLES.get(item.get("role"), item.get("role") or "user"), item.get("content", "")
        elif isinstance(item, Message):
            role, content = _ROLES.get(item.data.get("sender"), "user"), item.get_text()
        elif isinstance(item, (str, Data)):
            role, content = "user", piece_text(item)
        else:
            role, content = _ROLES.get(getattr(item, "type", "human"), "user"), piece_text(item)
        out.append({"role": role, "content": content if isinstance(content, str) else piece_text(content)})
    return out


class HostModel(Live):
    """A language model of the host."""

    def invoke(self, given, config=None, **_options):
        from .langchain import AIMessage

        found = ask({"ask": "model", "messages": _chat(given), "model": self._wire})
        return AIMessage(content=found.get("text") or "")

    async def ainvoke(self, given, config=None, **options):
        return self.invoke(given, config, **options)

    def stream(self, given, config=None, **options):
        yield self.invoke(given, config, **options)

    async def astream(self, given, config=None, **options):
        yield self.invoke(given, config, **options)

    def batch(self, many, config=None, **options):
        return [self.invoke(one, config, **options) for one in many]

    async def abatch(self, many, config=None, **options):
        return self.batch(many, config, **options)

    def predict(self, text, **options):
        return self.invoke(text, **options).content

    def __call__(self, given, **options):
        return self.invoke(given, **options)

    def bind(self, **_options):
        return self

    def with_config(self, *_args, **_options):
        return self

    def __or__(self, after):
        from .langchain import Chained

        return Chained(self, after)

    def __ror__(self, before):
        from .langchain import Chained

        return Chained(before, self)


def live_object(wire):
    return HostModel(wire) if wire.get("kind") == "LanguageModel" else Live(wire)
