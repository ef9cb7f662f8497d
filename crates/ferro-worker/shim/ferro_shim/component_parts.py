"""Small helpers a component meets: its graph, awaitable results, sent messages."""

from . import state
from .data import Data
from .errors import server_only
from .events import emit, new_id
from .message import Message, piece_text
from .wire import to_wire


class AwaitableText(str):
    """A text that may be awaited too: components call these methods both ways."""

    def __await__(self):
        return str(self)
        yield

    def get_secret_value(self):
        return str(self)


class Sent(Message):
    """A message that was sent; `await` gives it back."""

    def __init__(self, message):
        fields = self.__dict__
        fields["data"] = message.data
        fields["text_key"] = message.text_key
        fields["default_value"] = message.default_value

    def __await__(self):
        return self
        yield


class Graph:
    """As much of the flow as a component may know."""

    user_id = None
    flow = None

    def __init__(self, component):
        self._component = component
        self.context = state.now().shared
        self.session_id = state.now().get("session_id") or ""
        self.flow_id = state.now().get("flow_id")
        self.flow_name = state.now().get("flow_name")
        self.run_id = state.now().get("run_id")
        self.vertices = []
        self.edges = []
        self.conditional_exclusion_sources = {}
        self.conditionally_excluded_vertices = set()

    def exclude_branch_conditionally(self, _vertex_id, output_name=None):
        self._component.stop(output_name)

    def mark_branch(self, _vertex_id, _state, output_name=None):
        self._component.stop(output_name)

    def get_vertex(self, _vertex_id):
        return Vertex(self._component)

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        raise server_only(f"`self.graph.{name}`")


class Vertex:
    def __init__(self, component):
        self.id = component._id
        self.display_name = state.now().get("node_name") or type(component).__name__
        self.outgoing_edges = []
        self.incoming_edges = []
        self.params = {}
        self.component = component

    @property
    def graph(self):
        return Graph(self.component)


def _as_message(component, message):
    if isinstance(message, str):
        message = Message(text=message)
    elif isinstance(message, Data) and not isinstance(message, Message):
        message = Message.from_data(message)
    elif not isinstance(message, Message):
        message = Message(text=str(message))
    data = message.data
    if not data.get("session_id"):
        data["session_id"] = state.now().get("session_id") or ""
    return message


def send(component, message):
    message = _as_message(component, message)
    if state.now().quiet:
        return Sent(message)
    text = type(message.data.get("text"))
    if hasattr(text, "__anext__"):
        from . import aio

        work = finish_stream_async(message)
        return work if aio.is_running() else Sent(aio.run(work))
    if hasattr(text, "__next__"):
        finish_stream(message)
    else:
        show(message)
    return Sent(message)


def show(message):
    data = message.data
    if not data.get("id"):
        data["id"] = new_id()
    emit({"event": "message", "message": to_wire(message), "id": data["id"]})


def _begin_stream(message):
    stream = message.data["text"]
    message.data["text"] = ""
    show(message)
    return stream, message.data["id"], []


def _piece(piece, ident, parts):
    text = piece_text(piece)
    if text:
        parts.append(text)
        emit({"event": "token", "id": ident, "text": text})


def finish_stream(message):
    """Drains a text that is a generator, telling each piece."""
    stream, ident, parts = _begin_stream(message)
    try:
        for piece in stream:
            _piece(piece, ident, parts)
    finally:
        message.data["text"] = "".join(parts)
    return message


async def finish_stream_async(message):
    stream, ident, parts = _begin_stream(message)
    try:
        async for piece in stream:
            _piece(piece, ident, parts)
    finally:
        message.data["text"] = "".join(parts)
    return message
