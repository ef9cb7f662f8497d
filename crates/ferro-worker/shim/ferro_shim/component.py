"""Component: the class that people's components derive from."""

from . import state
from .component_parts import AwaitableText, Graph, Vertex, send
from .errors import ClassError, InputError, ValidationError
from .events import ask, emit
from .inputs_base import BaseInput, is_simple
from .output import Output, return_types
from .wire import to_wire

# Names under which the request's own facts are read; an input of the same name wins.
_CONTEXT = {
    "session_id": "session_id",
    "flow_id": "flow_id",
    "flow_name": "flow_name",
    "run_id": "run_id",
    "_id": "node_id",
    "id": "node_id",
}
_MISSING = object()


class Spec:
    """What a component class declares, read once per class."""

    def __init__(self, cls, inputs, outputs):
        self.inputs = {}
        for item in inputs:
            if not isinstance(item, BaseInput):
                raise ClassError(f"`inputs` of {cls.__name__} holds {item!r:.80}, which is not an input such as StrInput.")
            self.inputs[item.name] = item
        self.outputs = []
        for item in outputs:
            if isinstance(item, dict):
                item = Output(**item)
            if not isinstance(item, Output):
                raise ClassError(f"`outputs` of {cls.__name__} holds {item!r:.80}, which is not an Output.")
            if item.name in self.inputs:
                raise ClassError(f"`{item.name}` is the name of an input and of an output of {cls.__name__}; rename one.")
            self.outputs.append(item.copy())
        # A method or property of that name must stay reachable.
        self.plain = [n for n in self.inputs if not _is_code(getattr(cls, n, None))]
        self.defaults = [(n, i, i.__dict__.get("value")) for n, i in self.inputs.items()]
        hooks = (getattr(cls, name, None) for name in ("_pre_run_setup", "pre_run_setup"))
        self.hooks = [h for h in hooks if h is not None]
        self.typed = False

    def fill_types(self, cls, source):
        if self.typed:
            return
        for output in self.outputs:
            method = getattr(cls, output.method, None) if output.method else None
            if method is None:
                where = f"`{output.method}`" if output.method else "no method"
                raise ClassError(
                    f"The output `{output.name}` of {cls.__name__} names {where}, which the class does not have."
                )
            if not output.types:
                output.add_types(return_types(method, source))
            elif output.selected is None:
                output.selected = output.types[0]
        self.typed = True


def _is_code(value):
    return callable(value) or isinstance(value, property)


class Component:
    """Subclass it, declare `inputs` and `outputs`, and write the methods the outputs name."""

    display_name = None
    description = None
    icon = None
    name = None
    documentation = ""
    beta = False
    legacy = False
    minimized = False
    priority = None
    add_tool_output = False
    metadata = {}
    replacement = None
    trace_type = None
    inputs = []
    outputs = []
    _source = None

    def __init__(self, **given):
        fields = self.__dict__
        fields["_attributes"] = {}
        fields["_status"] = None
        fields["_user_id"] = given.pop("_user_id", None)
        fields["_parameters"] = dict(given)
        if given:
            self.set(**{k: v for k, v in given.items() if k[:1] != "_"})

    @classmethod
    def _spec(cls):
        spec = cls.__dict__.get("_ferro_spec")
        if spec is None:
            spec = Spec(cls, cls._declared_inputs(), cls._declared_outputs())
            cls._ferro_spec = spec
        return spec

    @classmethod
    def _declared_inputs(cls):
        return cls.inputs or []

    @classmethod
    def _declared_outputs(cls):
        return cls.outputs or []

    def __getattr__(self, name):
        key = _CONTEXT.get(name)
        if key is not None:
            return state.now().get(key) or ""
        if name == "graph":
            return Graph(self)
        if name == "ctx":
            return state.now().shared
        if name == "_vertex":
            return Vertex(self)
        if name in ("user_id", "tracing_service", "_event_manager", "_tracing_service", "cache", "code"):
            return None
        if name == "_inputs":
            return type(self)._spec().inputs
        if name in ("_outputs_map", "_outputs"):
            return {o.name: o for o in type(self)._spec().outputs}
        if name in ("_results", "_artifacts", "_logs", "_attributes"):
            value = self.__dict__[name] = {}
            return value
        if name[:1] != "_":
            for output in type(self)._spec().outputs:
                if output.name == name:
                    return output
        if name == "trace_name":
            return f"{self.display_name or type(self).__name__} ({self._id})"
        raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'")

    # --- values

    def _fill(self, fields):
        """Sets every input: what was given, else the class's default, both converted."""
        spec = type(self)._spec()
        own, attributes = self.__dict__, self._attributes
        for name, item, default in spec.defaults:
            value = fields.get(name, _MISSING)
            if value is _MISSING:
                value = default if is_simple(default) else _fresh(default)
            attributes[name] = item.convert(value)
        for name in spec.plain:
            own[name] = attributes[name]
        for name, value in fields.items():
            if name not in attributes and name not in ("code", "_type"):
                attributes[name] = value
                if not _is_code(getattr(type(self), name, None)):
                    own[name] = value

    def set(self, **values):
        inputs = type(self)._spec().inputs
        for name, value in values.items():
            item = inputs.get(name)
            if item is not None:
                try:
                    value = item.convert(value)
                except InputError as error:
                    raise ValidationError(str(error)) from None
            self._attributes[name] = value
            if not _is_code(getattr(type(self), name, None)):
                self.__dict__[name] = value
        return self

    def set_attributes(self, values):
        self.set(**values)

    def set_input_value(self, name, value):
        self.set(**{name: value})

    def get_input(self, name):
        try:
            return type(self)._spec().inputs[name]
        except KeyError:
            raise ValueError(f"{type(self).__name__} has no input `{name}`.") from None

    def get_output(self, name):
        for output in type(self)._spec().outputs:
            if output.name == name:
                return output
        raise ValueError(f"{type(self).__name__} has no output `{name}`.")

    def get_input_display_name(self, name):
        return self.get_input(name).display_name

    def get_output_display_name(self, name):
        return self.get_output(name).display_name

    # --- telling

    @property
    def status(self):
        return self.__dict__.get("_status")

    @status.setter
    def status(self, value):
        self.__dict__["_status"] = value
        if not (hasattr(value, "__next__") or hasattr(value, "__anext__")):
            emit({"event": "status", "value": to_wire(value)})

    def log(self, message, name=None):
        request = state.now()
        request.logs += 1
        emit({"event": "log", "name": str(name or f"Log {request.logs}"), "message": to_wire(message)})

    def progress(self, value=None, text=""):
        if value is not None:
            value = min(1.0, max(0.0, float(value)))
        emit({"event": "progress", "value": value, "text": str(text)})

    def send_message(self, message, *_rest, **_options):
        return send(self, message)

    def stop(self, output_name=None):
        stopped = state.now().stopped
        names = [output_name] if output_name is not None else [o.name for o in type(self)._spec().outputs]
        for name in names:
            if name not in stopped:
                stopped.append(name)

    def start(self, output_name=None):
        stopped = state.now().stopped
        stopped[:] = [] if output_name is None else [n for n in stopped if n != output_name]

    # --- asking

    def get_variable(self, name, field=None, session=None):
        return AwaitableText(ask({"ask": "variable", "name": str(name)}).get("value") or "")

    variables = get_variable
    get_variables = get_variable

    def read_file(self, path):
        """Bytes of a file the node was given."""
        from .files import read_bytes

        return read_bytes(path)

    def resolve_path(self, path):
        return path

    get_full_path = resolve_path

    def get_langchain_callbacks(self):
        return []

    def add_to_ctx(self, key, value, *, overwrite=False):
        shared = state.now().shared
        if key in shared and not overwrite:
            raise ValueError(f"`{key}` is already in the context; pass overwrite=True to replace it.")
        shared[key] = value

    def update_ctx(self, values):
        state.now().shared.update(values)

    # --- the canvas

    def update_build_config(self, build_config, field_value, field_name=None):
        return build_config

    def update_outputs(self, frontend_node, field_name, field_value):
        return frontend_node

    def build(self):
        return None

    # --- as tools

    async def to_toolkit(self):
        from .toolkit import component_tools

        return component_tools(self)

    async def _get_tools(self):
        return await self.to_toolkit()

    def __deepcopy__(self, memo):
        import copy

        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for key, value in self.__dict__.items():
            try:
                twin.__dict__[key] = copy.deepcopy(value, memo)
            except TypeError:
                twin.__dict__[key] = value
        return twin

    def __repr__(self):
        return f"{type(self).__name__}()"


def _fresh(value):
    import copy

    return copy.deepcopy(value)
