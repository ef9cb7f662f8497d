"""What a class declares, and how its node changes when a field does."""

from .component import Component
from .dotdict import dotdict
from .errors import ClassError
from .inputs_base import BaseInput, _dump
from .loader import load
from .output import Output, return_types
from .running import TOOLKIT, made, settle
from .wire import from_wire, to_wire


def _text(value, default=""):
    return value if isinstance(value, str) else default if value is None else str(value)


def do_describe(request):
    return described(load(request["code"]))


def described(loaded):
    cls = loaded.cls
    spec = cls._spec()
    component = made(cls)
    spec.fill_types(cls, cls._source)
    fields = [item.to_dict() for item in spec.inputs.values()]
    priority = cls.priority
    doc = _text(cls.description) or _first_paragraph(cls)
    return {
        "class_name": cls.__name__,
        "name": _text(cls.name) or cls.__name__,
        "display_name": _text(component.display_name) or cls.__name__,
        "description": doc,
        "icon": _text(cls.icon),
        "documentation": _text(getattr(cls, "documentation", "")),
        "beta": bool(cls.beta),
        "legacy": bool(cls.legacy),
        "minimized": bool(cls.minimized),
        "priority": priority if isinstance(priority, int) else None,
        "add_tool_output": bool(cls.add_tool_output),
        "metadata": to_wire(cls.metadata) if isinstance(cls.metadata, dict) else {},
        "fields": fields,
        "outputs": [o.to_dict() for o in spec.outputs],
        "tool_mode_capable": bool(cls.add_tool_output) or any(f.get("tool_mode") for f in fields),
    }


def _first_paragraph(cls):
    doc = cls.__dict__.get("__doc__")
    return doc.strip().split("\n\n")[0].strip() if isinstance(doc, str) else ""


def do_update(request):
    loaded = load(request["code"])
    cls = loaded.cls
    node = dotdict(from_wire(request.get("node") or {}))
    template = node.get("template")
    if not isinstance(template, dict):
        template = dotdict()
    field, value = request.get("field"), from_wire(request.get("value"))
    entry = template.get(field)
    if isinstance(entry, dict):
        entry["value"] = value
    component = made(cls)
    cls._spec()
    _show_values(component, template)
    hook = getattr(component, "update_build_config", None)
    if hook is not None:
        changed = settle(hook(template, value, field))
        if changed is None:
            changed = template
        if not isinstance(changed, dict):
            raise ClassError(f"`update_build_config` must return the build config, not {type(changed).__name__}.")
        template = changed
    node["template"] = {k: v.to_dict() if isinstance(v, BaseInput) else v for k, v in template.items()}
    _update_outputs(component, node, request, field, value)
    return {"node": to_wire(_dump(_plain(node)))}


def _plain(value):
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, Output):
        return value.to_dict()
    return value


def _show_values(component, template):
    """Lets the hooks read `self.<input>`; a value that does not convert stays as it is."""
    spec = type(component)._spec()
    values = {}
    for name, item in spec.inputs.items():
        entry = template.get(name)
        value = entry.get("value") if isinstance(entry, dict) else item.__dict__.get("value")
        try:
            item.convert(value)
            values[name] = value
        except ValueError:
            pass
    try:
        component._fill(values)
    except ValueError:
        pass


def _update_outputs(component, node, request, field, value):
    cls = type(component)
    spec = cls._spec()
    outputs = node.get("outputs")
    synthetic = isinstance(outputs, list) and any(
        isinstance(o, dict) and o.get("name") == TOOLKIT for o in outputs
    )
    if outputs is None or synthetic:
        spec.fill_types(cls, cls._source)
        node["outputs"] = [o.to_dict() for o in spec.outputs]
    if cls.update_outputs is not Component.update_outputs:
        changed = settle(component.update_outputs(node, field, value))
        if isinstance(changed, dict) and changed is not node:
            node.clear()
            node.update(changed)
    node["outputs"] = [_with_types(component, o) for o in node.get("outputs") or []]
    if request.get("tool_mode") or (field == "tool_mode" and value is True):
        tool = Output(name=TOOLKIT, display_name="Toolset", method="to_toolkit", types=["Tool"])
        node["outputs"] = [tool.to_dict()]


def _with_types(component, item):
    if isinstance(item, Output):
        item = item.to_dict()
    if not isinstance(item, dict):
        raise ClassError(f"`update_outputs` left {item!r:.80} among the outputs, which is not an Output.")
    if item.get("types"):
        if item.get("selected") is None:
            item["selected"] = item["types"][0]
        return item
    method = getattr(component, item.get("method") or "", None)
    if method is None:
        raise ClassError(f"The output `{item.get('name')}` names the method `{item.get('method')}`, which the class does not have.")
    full = Output(**item)
    full.add_types(return_types(method, type(component)._source))
    given = {k: v for k, v in item.items() if k not in ("types", "selected")}
    return {**full.to_dict(), **given}
