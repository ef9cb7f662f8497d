"""Running output methods and tools."""

from . import aio, state
from .component_parts import finish_stream, finish_stream_async
from .data import Data
from .errors import ClassError, InputError, user_line
from .loader import load
from .message import Message
from .wire import from_wire, is_tool, to_wire

TOOLKIT = "component_as_tool"
# Nothing of these is awaited or streamed.
_PLAIN = frozenset((str, int, float, bool, dict, list, tuple, type(None), Data))


def new_instance(loaded, fields):
    """A fresh component with its inputs set."""
    if not isinstance(fields, dict):
        raise InputError("`fields` must be an object.")
    cls = loaded.cls
    spec = cls._spec()
    component = made(cls)
    component._fill({name: from_wire(value) for name, value in fields.items()})
    if loaded.with_pandas:
        _give_pandas(component, spec)
    if not spec.typed:
        spec.fill_types(cls, cls._source)
    return component


def made(cls):
    try:
        return cls()
    except TypeError as error:
        if user_line(error) is None:
            raise ClassError(f"{cls.__name__} must be made without arguments: {error}.") from None
        raise


def _give_pandas(component, spec):
    from .frame_choice import as_real

    for name, value in component._attributes.items():
        made = as_real(value)
        if made is not value:
            component._attributes[name] = made
            if name not in spec.inputs or name in spec.plain:
                component.__dict__[name] = made


def settle(value):
    """Awaits what can be awaited."""
    # Asked of the type: an instance may answer for any name.
    if hasattr(type(value), "__await__") and not isinstance(value, (Message, str)):
        return aio.run(value)
    return value


def finish(value, types=()):
    """Drains streams: a Message's text, or a generator the method returned."""
    kind = type(value)
    if kind in _PLAIN or (kind is Message and type(value.data.get("text")) is str):
        return value
    value = settle(value)
    kind = type(value)
    if hasattr(kind, "__anext__"):
        if _streams_text(types):
            value = Message(text=value)
        else:
            return aio.run(_collect(value))
    elif hasattr(kind, "__next__"):
        if _streams_text(types):
            value = Message(text=value)
        else:
            return list(value)
    if isinstance(value, Message):
        text = type(value.data.get("text"))
        if hasattr(text, "__anext__"):
            aio.run(finish_stream_async(value))
        elif hasattr(text, "__next__"):
            finish_stream(value)
    return value


def _streams_text(types):
    return not types or "Message" in types or "Text" in types


async def _collect(stream):
    return [item async for item in stream]


def before_run(component):
    for hook in type(component)._spec().hooks:
        settle(hook(component))


def do_run(request):
    loaded = load(request["code"])
    component = new_instance(loaded, request.get("fields") or {})
    before_run(component)
    results, values = {}, {}
    stopped = state.now().stopped
    for output in wanted_outputs(component, request.get("outputs"), request.get("fields") or {}):
        method = output.method
        if method not in results:
            component.__dict__["_current_output"] = output.name
            results[method] = to_wire(finish(bound(component, output)(), output.types))
        values[output.name] = results[method]
    for name in stopped:
        values.pop(name, None)
    return {"outputs": values, "stopped": list(stopped), "status": to_wire(component.status)}


def bound(component, output):
    method = getattr(component, output.method or "", None)
    if not callable(method):
        raise ClassError(
            f"The output `{output.name}` names the method `{output.method}`, which {type(component).__name__} does not have."
        )
    return method


def wanted_outputs(component, names, fields):
    outputs = type(component)._spec().outputs
    if names is None:
        return outputs
    known = {o.name: o for o in outputs}
    wanted = []
    for name in names:
        if isinstance(name, dict):
            wanted.append(_made(name))
            continue
        if name not in known:
            known = _dynamic_outputs(component, known, fields)
        if name not in known:
            raise InputError(f"{type(component).__name__} has no output `{name}`; it has: {', '.join(known) or 'none'}.")
        wanted.append(known[name])
    return wanted


def _made(value):
    from .output import Output

    return Output(**{k: v for k, v in value.items() if isinstance(k, str)}) if isinstance(value, dict) else value


def _dynamic_outputs(component, known, fields):
    """Outputs that the class adds on the canvas, found again from the values of its fields."""
    from .output import Output
    from .component import Component

    known = dict(known)
    if TOOLKIT not in known:
        known[TOOLKIT] = Output(name=TOOLKIT, display_name="Toolset", method="to_toolkit", types=["Tool"])
    if type(component).update_outputs is Component.update_outputs:
        return known
    node = {"outputs": [o.to_dict() for o in type(component)._spec().outputs], "template": {}}
    for name in fields:
        node = settle(component.update_outputs(node, name, from_wire(fields[name]))) or node
    for item in node.get("outputs") or []:
        output = _made(item)
        known.setdefault(output.name, output)
    return known


def do_tool(request):
    loaded = load(request["code"])
    component = new_instance(loaded, request.get("fields") or {})
    before_run(component)
    names = [request["output"]] if request.get("output") else [TOOLKIT]
    output = wanted_outputs(component, names, request.get("fields") or {})[0]
    given = settle(bound(component, output)())
    tools = given if isinstance(given, (list, tuple)) else [given]
    wanted = request.get("tool")
    tools = [t for t in tools if is_tool(t)]
    for tool in tools:
        if tool.name == wanted:
            arguments = from_wire(request.get("arguments") or {})
            return {"value": to_wire(finish(call_tool(tool, arguments), ["Message"]))}
    there = ", ".join(t.name for t in tools) or "none"
    raise InputError(f"The output `{output.name}` gave no tool named `{wanted}`; it gave: {there}.")


def call_tool(tool, arguments):
    call = getattr(tool, "ainvoke", None) or getattr(tool, "invoke", None) or tool
    return settle(call(arguments))
