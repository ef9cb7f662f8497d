"""A host for tests: keeps events, answers questions from a table."""

import base64
import json
import os
import sys
import textwrap
import types

events = []
asked = []
answers = {}
HEAD = """
from lfx.custom import Component
from lfx.io import *
from lfx.schema import Data, DataFrame, Message
"""


def install(shim):
    module = types.ModuleType("_host")
    module.event = lambda text: events.append(json.loads(text))
    module.call = _call
    module.urandom = os.urandom
    sys.modules["_host"] = module
    sys.path.insert(0, str(shim))


def _call(text):
    question = json.loads(text)
    asked.append(question)
    answer = answers.get(question["ask"])
    if answer is None:
        return json.dumps({"ok": False, "error": "The host does not do that here.", "kind": "refused"})
    made = answer(question) if callable(answer) else answer
    return json.dumps(made if "ok" in made else {"ok": True, "result": made})


def page(body=b"", status=200, headers=(), url=None):
    """An answer to `http`."""
    raw = json.dumps(body).encode() if not isinstance(body, bytes) else body
    return lambda q: {
        "status": status,
        "reason": "",
        "url": url or q["url"],
        "headers": [list(h) for h in headers],
        "body_b64": base64.b64encode(raw).decode(),
    }


def reset():
    events.clear()
    asked.clear()
    answers.clear()


def handle(**request):
    from ferro_shim.runtime import handle as door

    return json.loads(door(json.dumps(request)))


def source(text, head=True):
    return (HEAD if head else "") + textwrap.dedent(text)


def run(code, fields=None, outputs=None, **context):
    """The result of a run; an error fails the test."""
    reply = handle(do="run", code=source(code), fields=fields or {}, outputs=outputs, context=context)
    assert "result" in reply, reply
    return reply["result"]


def fails(code, fields=None, **more):
    """The error of a run."""
    reply = handle(do="run", code=source(code), fields=fields or {}, outputs=None, context={}, **more)
    assert "error" in reply, reply
    return reply["error"]


def body(text, inputs="", kind="object"):
    """A component of one output, whose method has this body."""
    inner = textwrap.indent(textwrap.dedent(text).strip("\n"), " " * 8)
    return f"class C(Component):\n    inputs = [{inputs}]\n    outputs = [Output(name='out', method='go')]\n    def go(self) -> {kind}:\n{inner}\n"


def value(text, inputs="", fields=None, head="", kind="object"):
    """What a method with this body gives."""
    return run(head + "\n" + body(text, inputs, kind), fields)["outputs"]["out"]
