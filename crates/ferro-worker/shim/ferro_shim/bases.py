"""Base classes that components derive from."""

from .component import Component
from .data import Data
from .errors import unsupported
from .inputs import BoolInput, DataInput, FileInput, HandleInput, IntInput, MessageInput, MessageTextInput, MultilineInput, StrInput
from .message import Message
from .output import Output


class ComponentWithCache(Component):
    """A component with a cache that lasts as long as its worker."""

    _cache_of_worker = {}

    @property
    def _shared_component_cache(self):
        return _Cache(self._cache_of_worker)


class _Cache:
    def __init__(self, table):
        self._table = table

    def get(self, key, default=None):
        return self._table.get(key, default)

    def set(self, key, value, *_args, **_options):
        self._table[key] = value

    def delete(self, key):
        self._table.pop(key, None)

    def clear(self):
        self._table.clear()


class LCToolComponent(Component):
    """Gives its result as data, and itself as a tool."""

    outputs = [
        Output(name="api_run_model", display_name="JSON", method="run_model", types=["JSON"]),
        Output(name="api_build_tool", display_name="Tool", method="build_tool", types=["Tool"]),
    ]

    def run_model(self):
        raise NotImplementedError(f"{type(self).__name__} has no `run_model`.")

    def build_tool(self):
        raise NotImplementedError(f"{type(self).__name__} has no `build_tool`.")


class _NeedsServer(Component):
    """Imports and describes; its work needs a library that is not here."""

    _what = "This base class"

    def _refuse(self, *_args, **_options):
        raise unsupported(self._what)


class LCModelComponent(_NeedsServer):
    _what = "Building a LangChain model"
    _base_inputs = [
        MessageInput(name="input_value", display_name="Input"),
        MultilineInput(name="system_message", display_name="System Message"),
        BoolInput(name="stream", display_name="Stream", advanced=True),
    ]
    outputs = [
        Output(name="text_output", display_name="Model Response", method="text_response", types=["Message"]),
        Output(name="model_output", display_name="Language Model", method="build_model", types=["LanguageModel"]),
    ]

    @classmethod
    def get_base_inputs(cls):
        return list(cls._base_inputs)

    build_model = _NeedsServer._refuse

    async def text_response(self):
        model = self.build_model()
        messages = [("system", self.system_message)] if getattr(self, "system_message", "") else []
        value = self.input_value
        messages.append(("human", value.get_text() if isinstance(value, Data) else str(value)))
        made = model.invoke(messages)
        return Message(text=made if isinstance(made, str) else made.content)


class LCEmbeddingsModel(_NeedsServer):
    _what = "Building embeddings"
    outputs = [Output(name="embeddings", display_name="Embedding Model", method="build_embeddings", types=["Embeddings"])]
    build_embeddings = _NeedsServer._refuse


class LCDocumentTransformerComponent(_NeedsServer):
    _what = "A LangChain document transformer"
    outputs = [Output(name="data", display_name="JSON", method="transform_data", types=["JSON"])]
    build_document_transformer = _NeedsServer._refuse

    def get_data_input(self):
        raise NotImplementedError(f"{type(self).__name__} has no `get_data_input`.")

    def transform_data(self):
        given = self.get_data_input()
        items = given if isinstance(given, list) else [given]
        docs = [i.to_lc_document() if isinstance(i, Data) else i for i in items]
        made = self.build_document_transformer().transform_documents(docs)
        return [Data.from_document(d) for d in made]


class LCTextSplitterComponent(LCDocumentTransformerComponent):
    _what = "A LangChain text splitter"
    build_text_splitter = _NeedsServer._refuse

    def build_document_transformer(self):
        return self.build_text_splitter()

    def transform_data(self):
        given = self.get_data_input()
        items = given if isinstance(given, list) else [given]
        splitter = self.build_text_splitter()
        out = []
        for item in items:
            text = item.get_text() if isinstance(item, Data) else str(item)
            rest = {k: v for k, v in item.data.items() if k != item.text_key} if isinstance(item, Data) else {}
            out += [Data(data={"text": piece, **rest}) for piece in splitter.split_text(text)]
        return out


class LCVectorStoreComponent(_NeedsServer):
    _what = "A vector store"
    inputs = [
        DataInput(name="ingest_data", display_name="Ingest Data", is_list=True),
        MessageTextInput(name="search_query", display_name="Search Query", tool_mode=True),
        IntInput(name="number_of_results", display_name="Number of Results", value=4, advanced=True),
    ]
    outputs = [
        Output(name="search_results", display_name="Search Results", method="search_documents", types=["JSON"]),
        Output(name="dataframe", display_name="Table", method="as_dataframe", types=["Table"]),
    ]
    build_vector_store = _NeedsServer._refuse

    def search_documents(self):
        return self.build_vector_store()

    def as_dataframe(self):
        from .frame import DataFrame

        return DataFrame(self.search_documents())


def check_cached_vector_store(function):
    return function


class LCChatMemoryComponent(_NeedsServer):
    _what = "A LangChain chat memory"
    outputs = [Output(name="memory", display_name="Memory", method="build_message_history", types=["Memory"])]
    build_message_history = _NeedsServer._refuse


class LCChainComponent(_NeedsServer):
    _what = "A LangChain chain"
    outputs = [Output(name="text", display_name="Message", method="invoke_chain", types=["Message"])]
    invoke_chain = _NeedsServer._refuse


class LCCompressorComponent(_NeedsServer):
    _what = "A LangChain document compressor"
    outputs = [Output(name="reranked_documents", display_name="JSON", method="compress_documents", types=["JSON"])]
    compress_documents = _NeedsServer._refuse


class LCAgentComponent(_NeedsServer):
    _what = "A LangChain agent"
    _base_inputs = [
        MessageInput(name="input_value", display_name="Input", tool_mode=True),
        BoolInput(name="handle_parsing_errors", display_name="Handle Parse Errors", value=True, advanced=True),
        BoolInput(name="verbose", display_name="Verbose", value=True, advanced=True),
        IntInput(name="max_iterations", display_name="Max Iterations", value=15, advanced=True),
    ]
    outputs = [Output(name="response", display_name="Response", method="message_response", types=["Message"])]
    message_response = _NeedsServer._refuse


class LCToolsAgentComponent(LCAgentComponent):
    _base_inputs = [
        HandleInput(name="tools", display_name="Tools", input_types=["Tool"], is_list=True),
        *LCAgentComponent._base_inputs,
    ]


class TextComponent(Component):
    """A component around one text."""

    inputs = [MultilineInput(name="input_value", display_name="Text")]


class ChatComponent(Component):
    """A component that shows messages in the chat."""

    def get_properties_from_source_component(self):
        return None, None, None, None


class BaseFileComponent(Component):
    """Reads the files of its `path` field and gives what `process_files` makes of them."""

    VALID_EXTENSIONS = []
    _base_inputs = [
        FileInput(name="path", display_name="Files", is_list=True),
        StrInput(name="separator", display_name="Separator", value="\n\n", advanced=True),
        BoolInput(name="silent_errors", display_name="Silent Errors", advanced=True),
    ]
    _base_outputs = [Output(name="dataframe", display_name="Files", method="load_files", types=["Table"])]

    @classmethod
    def get_base_inputs(cls):
        return list(cls._base_inputs)

    @classmethod
    def get_base_outputs(cls):
        return list(cls._base_outputs)

    def load_files_base(self):
        from .files import read_text

        paths = self.path if isinstance(self.path, list) else [self.path] if self.path else []
        return [Data(data={"text": read_text(p), "file_path": p}) for p in paths]

    def load_files(self):
        from .frame import DataFrame

        return DataFrame(self.load_files_base())

