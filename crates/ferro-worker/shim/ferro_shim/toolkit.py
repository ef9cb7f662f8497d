"""A component's outputs as tools."""

import copy
import re

from . import state
from .data import Data
from .message import Message
from .schemas import inputs_schema
from .tools import StructuredTool, ToolException

# A method of such a name says nothing to a model: the class's name does.
_GENERIC = ("output", "process", "build_output", "run", "execute", "main", "handler", "build_result")


def component_tools(component):
    """One tool per output that may be a tool."""
    spec = type(component)._spec()
    spec.fill_types(type(component), type(component)._source)
    outputs = [o for o in spec.outputs if o.tool_mode and "Tool" not in o.types]
    return [_tool(component, spec, output, len(outputs) == 1) for output in outputs]


def _tool(component, spec, output, alone):
    inputs = _arguments(spec, output)
    name = output.method
    if alone and name in _GENERIC:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(component).__name__).lower()
    name = re.sub(r"[^a-zA-Z0-9_-]", "-", name)
    made = StructuredTool(
        name=name,
        description=output.info or component.description or output.display_name or "",
        args_schema=inputs_schema(inputs),
        coroutine=_caller(component, output),
    )
    made.tags = [name]
    return made


def _arguments(spec, output):
    tool_mode = [i for i in spec.inputs.values() if i.__dict__.get("tool_mode")]
    if tool_mode:
        return tool_mode
    if output.required_inputs:
        return [spec.inputs[n] for n in output.required_inputs if n in spec.inputs]
    return list(spec.inputs.values())


def _caller(component, output):
    async def call(**arguments):
        twin = copy.deepcopy(component)
        request = state.now()
        was_quiet, request.quiet = request.quiet, True
        try:
            twin.set(**arguments)
            value = getattr(twin, output.method)()
            if hasattr(type(value), "__await__") and not isinstance(value, (Message, str)):
                value = await value
            return await _say(value)
        except ToolException:
            raise
        except Exception as error:
            raise ToolException(str(error) or type(error).__name__) from error
        finally:
            request.quiet = was_quiet

    return call


async def _say(value):
    if isinstance(value, Message):
        from .message import join_async

        text = value.data.get("text")
        return await join_async(text) if hasattr(text, "__anext__") else value.get_text()
    if isinstance(value, Data):
        return dict(value.data)
    return value
