"""Parts of the standard library that RustPython's own get wrong, replaced before anything imports them."""

import sys


def install():
    if sys.implementation.name != "rustpython":
        return
    from . import repair_csv, repair_expat

    for name, module, users in (
        ("_csv", repair_csv, ("csv",)),
        ("pyexpat", repair_expat, ("xml.parsers.expat", "xml.etree.ElementTree", "xml.etree.cElementTree")),
    ):
        sys.modules[name] = module
        for user in users:
            sys.modules.pop(user, None)
