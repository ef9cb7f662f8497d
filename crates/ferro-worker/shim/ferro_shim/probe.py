"""Trying a component with made-up inputs, and running a plain script."""

import sys

from . import state
from .describe import described
from .errors import USER_FILE, InputError, ValidationError, linecache_is_loaded, remember_source, sentence
from .loader import load, new_module, prepare_for
from .running import before_run, bound, finish, new_instance
from .wire import to_wire

_PROBES = {"str": "validation_probe", "int": 1, "float": 1.0, "bool": True, "dict": dict, "NestedDict": dict}


def do_probe(request):
    loaded = load(request["code"])
    described(loaded)
    fields = {}
    for name, item in loaded.cls._spec().inputs.items():
        kind = item.__dict__.get("type")
        if kind in _PROBES and not item.__dict__.get("list") and not item.__dict__.get("options"):
            value = _PROBES[kind]
            fields[name] = {} if value is dict else value
    notes = []
    component = new_instance(loaded, fields)
    try:
        before_run(component)
    except Exception as error:
        _judge(error, notes, "the set-up")
    for output in type(component)._spec().outputs:
        try:
            to_wire(finish(bound(component, output)(), output.types))
        except Exception as error:
            _judge(error, notes, f"the output `{output.name}`")
    state.now().stopped.clear()
    return {"passed": True, "notes": notes}


def _judge(error, notes, where):
    if is_validation(error):
        raise error
    notes.append(f"{where} raised {type(error).__name__}: {sentence(error)}"[:300])


def is_validation(error):
    return isinstance(error, (ValidationError, InputError)) or any(
        c.__name__ == "ValidationError" for c in type(error).__mro__
    )


def do_exec(request):
    code, printed = request["code"], sys.stdout
    compiled = compile(code, USER_FILE, "exec", dont_inherit=True)
    if linecache_is_loaded():
        remember_source(code)
    module = new_module()
    scope = module.__dict__
    try:
        prepare_for(code)
        for name in request.get("imports") or []:
            name = str(name).strip()
            if name:
                scope[name.partition(".")[0]] = __import__(name)
        exec(compiled, scope)
    finally:
        sys.modules.pop(module.__name__, None)
    return {"stdout": printed.text()}
