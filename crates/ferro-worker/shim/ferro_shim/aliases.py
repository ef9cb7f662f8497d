"""The import paths of real components, answered from this package.

Modules are made when they are imported and their names are read when they are used:
a component pays only for what it touches.
"""

import sys

from .alias_table import STAND_INS, TABLE

_installed = False
# Set while the code of a component that brings the real pandas runs.
loading_with_pandas = False


def install():
    global _installed
    if _installed:
        return
    _installed = True
    sys.meta_path.insert(0, _First())
    # After everything else, so that a real package wins where there is one.
    sys.meta_path.append(_Last())


def _our_name(name):
    """`langflow.x` is `lfx.x`."""
    if name == "langflow" or name.startswith("langflow."):
        return "lfx" + name[8:]
    return name


def _is_package_of(name):
    prefix = name + "."
    return any(path.startswith(prefix) for path in TABLE)


def _spec(name):
    ours = _our_name(name)
    if ours in TABLE or _is_package_of(ours):
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, _Maker(ours), is_package=True)
    return None


class _First:
    """Paths that are always ours: the component API, and HTTP, which only the host can do."""

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in ("lfx", "langflow", "requests", "httpx"):
            return None
        spec = _spec(name)
        if spec is None:
            raise _missing(name)
        return spec


class _Last:
    """Stand-ins for packages people import without thinking."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in STAND_INS:
            return None
        return _spec(name)


def _missing(name):
    parent = name.rpartition(".")[0]
    while parent and not (_our_name(parent) in TABLE or _is_package_of(_our_name(parent))):
        parent = parent.rpartition(".")[0]
    ours = _our_name(parent) + "."
    there = sorted({p[len(ours) :].partition(".")[0] for p in TABLE if p.startswith(ours)})
    return ModuleNotFoundError(
        f"`{name}` is not part of the component API here; `{parent}` has: {', '.join(there) or 'no further modules'}.",
        name=name,
    )


def explain(path, name):
    """What a module of ours has, for a name that it has not; None for other modules."""
    groups = TABLE.get(_our_name(path))
    if groups is None and not _is_package_of(_our_name(path)):
        return None
    names = sorted(n.partition("=")[0] for _, listed in groups or () for n in listed.split())
    text = f"`{path}` has no `{name}` here; it has: {', '.join(names) or 'only submodules'}."
    if path.partition(".")[0] in STAND_INS:
        text += " For the real package ask the operator to start the server with --python /path/to/python."
    return text


class _Module(type(sys)):
    def __setattr__(self, name, value):
        # Importing `lfx.logging.logger` must not hide the object of that name in `lfx.logging`.
        if isinstance(value, type(sys)) and name in self.__dict__.get("__all__", ()):
            return
        super().__setattr__(name, value)


class _Maker:
    def __init__(self, ours):
        self.ours = ours

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        names = {}
        for source, listed in TABLE.get(self.ours, ()):
            for name in listed.split():
                shown, _, real = name.partition("=")
                names[shown] = (source, real or shown)
        path = module.__name__
        ours = self.ours
        module.__all__ = list(names)

        def find(name):
            at = names.get(name)
            if at is not None and at[0] == "frame" and loading_with_pandas:
                from .frame_choice import real_class

                return real_class()
            if at is not None:
                value = getattr(_import(f"ferro_shim.{at[0]}"), at[1])
                if at[0] != "frame":
                    module.__dict__[name] = value
                return value
            if name[:2] == "__":
                raise AttributeError(name)
            if f"{ours}.{name}" in TABLE or _is_package_of(f"{ours}.{name}"):
                return _import(f"{path}.{name}")
            raise AttributeError(explain(path, name))

        module.__getattr__ = find


def _import(name):
    __import__(name)
    return sys.modules[name]
