"""From source text to a module and its component class, once per text."""

import sys

from . import aliases, files, frame_choice
from .component import Component
from .errors import USER_FILE, ClassError, linecache_is_loaded, remember_source

MAX_CACHED = 16

_cache = {}
_serial = 0


class Loaded:
    def __init__(self, module, cls, with_pandas):
        self.module = module
        self.cls = cls
        self.with_pandas = with_pandas


def load(code):
    """The component class of a source text; the module runs once and is kept."""
    found = _cache.get(code)
    if found is not None:
        if len(_cache) >= MAX_CACHED:
            # The order says which one goes next.
            _cache[code] = _cache.pop(code)
        return found
    with_pandas = "pandas" in code and frame_choice.prepare_for(code)
    module = _execute(code, with_pandas)
    try:
        cls = _find_class(module)
    except ClassError:
        sys.modules.pop(module.__name__, None)
        raise
    cls._source = code
    if len(_cache) >= MAX_CACHED:
        oldest = next(iter(_cache))
        sys.modules.pop(_cache.pop(oldest).module.__name__, None)
    loaded = _cache[code] = Loaded(module, cls, with_pandas)
    return loaded


def new_module(file_name=USER_FILE):
    global _serial
    aliases.install()
    _serial += 1
    name = f"component_{_serial}"
    module = type(sys)(name)
    module.__file__ = file_name
    module.open = files.open_given
    sys.modules[name] = module
    return module


def _execute(code, with_pandas):
    compiled = compile(code, USER_FILE, "exec", dont_inherit=True)
    module = new_module()
    if linecache_is_loaded():
        remember_source(code)
    prepare_for(code)
    aliases.loading_with_pandas = with_pandas
    try:
        exec(compiled, module.__dict__)
    except BaseException:
        sys.modules.pop(module.__name__, None)
        raise
    finally:
        aliases.loading_with_pandas = False
    return module


def prepare_for(code):
    """Replaces what would need threads or selectors, before the code can import it."""
    if "asyncio" in code:
        from . import aio

        aio.install()
    if "concurrent" in code:
        from . import inline

        inline.install()


def _find_class(module):
    found = None
    for value in module.__dict__.values():
        if isinstance(value, type) and value.__module__ == module.__name__ and issubclass(value, Component):
            found = value
    if found is None:
        others = [v.__name__ for v in module.__dict__.values() if isinstance(v, type) and v.__module__ == module.__name__]
        hint = f" (there is: {', '.join(others[:5])})" if others else ""
        raise ClassError(f"No component class here: define a class that derives from Component{hint}.")
    return found


def forget():
    """Drops every cached module."""
    for loaded in _cache.values():
        sys.modules.pop(loaded.module.__name__, None)
    _cache.clear()
