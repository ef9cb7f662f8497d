"""Makes an external interpreter a worker: the shim out of memory, and the bridge to the server."""

import os
import sys


def _read_all(fd):
    parts, at = [], 0
    while True:
        part = os.pread(fd, 1 << 20, at)
        if not part:
            return b"".join(parts)
        parts.append(part)
        at += len(part)


def _boot(shim_fd):
    import importlib.abc
    import importlib.machinery
    import json
    import socket as sockets
    import types

    modules = json.loads(_read_all(shim_fd))
    os.close(shim_fd)

    class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
        def find_spec(self, name, path=None, target=None):
            if name not in modules:
                return None
            is_package = modules[name]["package"]
            return importlib.machinery.ModuleSpec(name, self, is_package=is_package)

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            source = modules[module.__name__]["source"]
            exec(compile(source, "<shim " + module.__name__ + ">", "exec"), module.__dict__)

    sys.meta_path.insert(0, Finder())

    # The socket moves away from where a component could write to it by accident.
    line = sockets.socket(fileno=os.dup(0))
    nothing = os.open("/dev/null", os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    reader = line.makefile("rb")
    state = {"id": 0, "calls": 0}

    def write(text):
        line.sendall(text.encode("utf-8", "backslashreplace"))

    def one_value(text):
        json.loads(text)
        if "\n" in text:
            raise RuntimeError("a line break outside of a text")
        return text

    def event(text):
        write('{"id":%d,"event":%s}\n' % (state["id"], one_value(text)))

    def call(text):
        state["calls"] += 1
        write('{"id":%d,"call":%d,"ask":%s}\n' % (state["id"], state["calls"], one_value(text)))
        answer = reader.readline()
        if not answer:
            raise RuntimeError("the server does not answer any more")
        answer = json.loads(answer)
        if answer.get("answer") != state["calls"]:
            raise RuntimeError("the answer belongs to another question")
        return json.dumps(answer["body"])

    host = types.ModuleType("_host")
    host.event, host.call, host.urandom = event, call, os.urandom
    sys.modules["_host"] = host
    from ferro_shim.runtime import handle

    for text in iter(reader.readline, b""):
        request = json.loads(text)
        state["id"] = request["id"]
        write('{"id":%d,"done":%s}\n' % (state["id"], handle(json.dumps(request["request"]))))


_boot(int(sys.argv[1]))
