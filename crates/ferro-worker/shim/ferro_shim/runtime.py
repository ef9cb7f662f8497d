"""The door of the shim: one JSON request in, one JSON reply out."""

import json
import sys

from . import aio, events, repairs, state
from .errors import InputError, describe_error
from .events import Printed, to_line
from .running import do_run, do_tool


repairs.install()


def _ping(_request):
    return {"pong": True}


def _describe(request):
    from .describe import do_describe

    return do_describe(request)


def _update(request):
    from .describe import do_update

    return do_update(request)


def _probe(request):
    from .probe import do_probe

    return do_probe(request)


def _exec(request):
    from .probe import do_exec

    return do_exec(request)


_DO = {
    "run": do_run,
    "tool": do_tool,
    "describe": _describe,
    "update": _update,
    "probe": _probe,
    "exec": _exec,
    "ping": _ping,
}


def handle(text):
    """Answers a request; never raises and never prints."""
    code = None
    stdout, stderr = sys.stdout, sys.stderr
    printed = None
    try:
        request = json.loads(text)
        work = _DO.get(request.get("do"))
        if work is None:
            raise InputError(f"Unknown request `{request.get('do')}`.")
        code = request.get("code")
        if code is not None and not isinstance(code, str):
            raise InputError("`code` must be a text.")
        events.start_request()
        state.begin(request.get("context"))
        printed = sys.stdout = sys.stderr = Printed(as_events=request["do"] != "exec")
        try:
            reply = {"result": work(request)}
        finally:
            aio.end_request()
        out = to_line(reply)
    except BaseException as error:
        out = _failed(error, code)
    try:
        if printed is not None:
            printed.finish()
    except BaseException as error:
        out = _failed(error, None)
    sys.stdout, sys.stderr = stdout, stderr
    return out


def _failed(error, code):
    try:
        return to_line({"error": describe_error(error, code)})
    except BaseException:
        return (
            '{"error":{"kind":"limit","type":"Error","message":"The code failed in a way that could not be told.",'
            '"line":null,"column":null,"trace":""}}'
        )


_WARM = """
from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema import Data, DataFrame, Message
import dataclasses, datetime, re, typing, asyncio

class Warm(Component):
    inputs = [MessageTextInput(name="text", value="a")]
    outputs = [Output(name="out", method="go"), Output(name="table", method="rows")]

    async def go(self) -> Message:
        return Message(text=self.text)

    def rows(self) -> DataFrame:
        return DataFrame([Data(text="a")])
"""


_PRELOAD = (
    "aliases inputs output frame series_parts frame_at frame_join groupby tools schemas toolkit langchain live helpers small log "
    "custom bases build_config typing_names requests_api httpx_api model model_check services server_side pandas_api probe describe inline"
).split()


def warm():
    """Loads what components use, before the first request; leaves no component behind."""
    from . import inline, loader

    for name in _PRELOAD:
        __import__(f"ferro_shim.{name}")
    aio.install()
    inline.install()
    for request in (
        {"do": "describe", "code": _WARM},
        {"do": "run", "code": _WARM, "fields": {}},
        {"do": "run", "code": "class", "fields": {}},
        {"do": "exec", "code": "1"},
    ):
        handle(json.dumps(request))
    loader.forget()
