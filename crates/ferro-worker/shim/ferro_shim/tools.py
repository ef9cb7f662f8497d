"""Tools: functions with a name, a description and a schema of their arguments."""

from .errors import ValidationError
from .schemas import function_schema, tool_schema


class ToolException(Exception):
    """Raise it to tell the model what went wrong."""

    __module__ = "langchain_core.tools"


class BaseTool:
    """Derive from it and write `_run`."""

    _is_tool = True
    name = ""
    description = ""
    args_schema = None
    return_direct = False
    handle_tool_error = False
    response_format = "content"
    func = None
    coroutine = None

    def __init__(self, **given):
        self.tags = []
        self.metadata = {}
        self.__dict__.update(given)
        if not self.name:
            raise ValidationError(f"{type(self).__name__} needs a `name`.")

    @property
    def args(self):
        return tool_schema(self).get("properties", {})

    def get_input_schema(self, *_args):
        return self.args_schema

    @property
    def tool_call_schema(self):
        return self.args_schema

    def _run(self, *args, **kwargs):
        if self.func is not None:
            return self.func(*args, **kwargs)
        if self.coroutine is not None:
            from . import aio

            return aio.run(self.coroutine(*args, **kwargs))
        raise NotImplementedError(f"The tool `{self.name}` has nothing to run: write `_run` or give `func`.")

    async def _arun(self, *args, **kwargs):
        if self.coroutine is not None:
            return await self.coroutine(*args, **kwargs)
        made = self._run(*args, **kwargs)
        return await made if hasattr(made, "__await__") else made

    def _arguments(self, given):
        if isinstance(given, dict) and given.get("type") == "tool_call" and "args" in given:
            given = given["args"]
        if not isinstance(given, dict):
            names = list(self.args)
            return ((), {names[0]: given}) if len(names) == 1 else ((given,), {})
        return (), self._checked(given)

    def _checked(self, given):
        schema = self.args_schema
        if isinstance(schema, type) and hasattr(schema, "model_validate"):
            made = schema.model_validate(given)
            names = getattr(schema, "model_fields", None) or given
            return {n: getattr(made, n) for n in names if n in given or _has_default(schema, n)}
        return dict(given)

    def _failed(self, error):
        handler = self.handle_tool_error
        if not handler:
            raise error
        if callable(handler):
            return handler(error)
        return handler if isinstance(handler, str) else str(error)

    def invoke(self, given=None, config=None, **_options):
        args, kwargs = self._arguments({} if given is None else given)
        try:
            return _content(self, self._run(*args, **kwargs))
        except ToolException as error:
            return self._failed(error)

    run = invoke

    async def ainvoke(self, given=None, config=None, **_options):
        args, kwargs = self._arguments({} if given is None else given)
        try:
            return _content(self, await self._arun(*args, **kwargs))
        except ToolException as error:
            return self._failed(error)

    arun = ainvoke

    def __call__(self, *args, **kwargs):
        if args and not kwargs:
            return self.invoke(args[0])
        return self.invoke(kwargs)

    def __repr__(self):
        return f"{type(self).__name__}(name={self.name!r}, description={self.description!r})"


def _has_default(schema, name):
    field = schema.model_fields.get(name) if isinstance(getattr(schema, "model_fields", None), dict) else None
    required = getattr(field, "is_required", None)
    return field is not None and callable(required) and not required()


def _content(tool, value):
    if tool.response_format == "content_and_artifact" and isinstance(value, tuple) and len(value) == 2:
        return value[0]
    return value


class Tool(BaseTool):
    """A tool of one text argument."""

    def __init__(self, name=None, func=None, description="", **given):
        super().__init__(name=name, func=func, description=description, **given)
        if func is None and self.coroutine is None:
            raise ValidationError(f"The tool `{name}` needs `func` or `coroutine`.")
        if self.args_schema is None:
            names = list(function_schema(func or self.coroutine).get("properties", {}))
            word = names[0] if len(names) == 1 else "tool_input"
            self._schema = {"type": "object", "properties": {word: {"type": "string"}}, "required": [word]}

    def _run(self, *args, **kwargs):
        if not args and len(kwargs) == 1 and self.func is not None:
            return self.func(next(iter(kwargs.values())))
        return super()._run(*args, **kwargs)

    @classmethod
    def from_function(cls, func, name=None, description="", **given):
        return cls(name=name or func.__name__, func=func, description=description or _first_line(func), **given)


class StructuredTool(BaseTool):
    """A tool whose arguments come from a function's signature or a schema."""

    def __init__(self, name=None, func=None, description="", **given):
        super().__init__(name=name, func=func, description=description, **given)

    @classmethod
    def from_function(cls, func=None, coroutine=None, name=None, description=None, args_schema=None, **given):
        source = func or coroutine
        if source is None:
            raise ValueError("A tool needs `func` or `coroutine`.")
        return cls(
            name=name or source.__name__,
            func=func,
            coroutine=coroutine,
            description=description or _first_line(source),
            args_schema=args_schema,
            **given,
        )


def _first_line(function):
    doc = (getattr(function, "__doc__", None) or "").strip()
    return doc.split("\n\n")[0].strip()


def _is_async(function):
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is not None and bool(code.co_flags & 0x80)


def tool(*given, description=None, return_direct=False, args_schema=None, infer_schema=True, **options):
    """`@tool`, `@tool("name")` or `tool("name", function)`."""

    def make(function, name=None):
        slot = {"coroutine": function} if _is_async(function) else {"func": function}
        return StructuredTool.from_function(
            name=name or function.__name__,
            description=description or _first_line(function),
            args_schema=args_schema,
            return_direct=return_direct,
            **slot,
            **options,
        )

    if len(given) == 1 and callable(given[0]):
        return make(given[0])
    if len(given) == 2:
        return make(given[1], given[0])
    name = given[0] if given else None
    return lambda function: make(function, name)
