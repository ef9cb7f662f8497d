"""Names that components use in annotations; what stands behind them lives in the server."""

from .errors import unsupported


class _Named:
    def __init__(self, *_args, **_options):
        raise unsupported(f"Creating a {type(self).__name__}")


def _name(name):
    return type(name, (_Named,), {"__module__": __name__})


LanguageModel = _name("LanguageModel")
Embeddings = _name("Embeddings")
BaseChatModel = _name("BaseChatModel")
BaseLanguageModel = _name("BaseLanguageModel")
BaseLLM = _name("BaseLLM")
VectorStore = _name("VectorStore")
Retriever = _name("Retriever")
BaseRetriever = _name("BaseRetriever")
Chain = _name("Chain")
AgentExecutor = _name("AgentExecutor")
Agent = _name("Agent")
TextSplitter = _name("TextSplitter")
BaseMemory = _name("BaseMemory")
BaseChatMemory = _name("BaseChatMemory")
BaseLoader = _name("BaseLoader")
BaseOutputParser = _name("BaseOutputParser")
BasePromptTemplate = _name("BasePromptTemplate")
ChatPromptTemplate = _name("ChatPromptTemplate")
PromptTemplate = _name("PromptTemplate")
BaseDocumentCompressor = _name("BaseDocumentCompressor")
RunnableType = _name("Runnable")
File = _name("File")


class Text(str):
    pass


class Prompt(str):
    pass


class Code(str):
    pass


class NestedDict(dict):
    pass


class InputData(dict):
    pass


class Object:
    pass


class Callback:
    """A callback of an agent; nothing calls it here."""


LANGCHAIN_BASE_TYPES = {}
CUSTOM_COMPONENT_SUPPORTED_TYPES = {}
