"""Names of the server's inner side that components import; what matters here is done by the host."""

from .data import Data
from .errors import server_only
from .message import Message
from .small import Usage

IBM_WATSONX_URLS = [f"https://{zone}.ml.cloud.ibm.com" for zone in ("us-south", "eu-de", "eu-gb", "au-syd", "jp-tok", "ca-tor")]
IMG_FILE_TYPES = ["jpg", "jpeg", "png", "bmp", "image"]
OnTokenFunctionType = SendMessageFunctionType = object


def get_llm(model=None, *_args, **_options):
    """A model that came over a wire; choosing one by name is the server's."""
    if hasattr(model, "invoke"):
        return model
    raise server_only("The list of models (wire a Language Model node into the field)")


def get_embeddings(model=None, *_args, **_options):
    if hasattr(model, "embed_query"):
        return model
    raise server_only("The list of embeddings (wire an Embeddings node into the field)")


def get_language_model_options(*_args, **_options):
    return []


get_embedding_model_options = get_language_model_options


def handle_model_input_update(component=None, build_config=None, *_args, **_options):
    """The server fills the options of a model field itself."""
    return build_config


def get_chat_result(runnable=None, system_message=None, input_value=None, stream=False, **_options):
    messages = [("system", system_message)] if system_message else []
    messages.append(("human", input_value.get_text() if isinstance(input_value, Data) else str(input_value)))
    return runnable.invoke(messages).content


def extract_usage_from_message(_message):
    return None


def accumulate_usage(first, second):
    if first is None or second is None:
        return first or second
    total = lambda name: (getattr(first, name, 0) or 0) + (getattr(second, name, 0) or 0)  # noqa: E731
    return Usage(input_tokens=total("input_tokens"), output_tokens=total("output_tokens"), total_tokens=total("total_tokens"))


# --- conversions


def convert_to_message(value):
    if isinstance(value, Message):
        return value
    if isinstance(value, Data):
        return Message(text=value.get_text())
    if getattr(value, "_is_frame", False):
        return value.to_message()
    return Message(text=value if isinstance(value, str) else str(value))


def convert_to_data(value, *_args, **_options):
    if isinstance(value, Message):
        return value.to_data()
    if isinstance(value, Data):
        return value
    if getattr(value, "_is_frame", False):
        return value.to_data()
    return Data(data=value if isinstance(value, dict) else {"value": value})


def convert_to_dataframe(value, *_args, **_options):
    from .frame import DataFrame

    if getattr(value, "_is_frame", False):
        return value
    return DataFrame(value if isinstance(value, list) else [value if isinstance(value, (Data, dict)) else {"value": value}])


# --- files and addresses: the host decides what may be reached


class StorageNamespaceError(ValueError):
    pass


def component_file_access_scopes(*_args, **_options):
    return []


def enforce_local_file_access(path, *_args, **_options):
    return path


def is_local_file_access_restricted():
    return True


def retrieve_file_paths(*_args, **_options):
    raise server_only("The file system")


parallel_load_data = aparallel_load_data = retrieve_file_paths


async def aparse_text_file_to_data(path, *, silent_errors=False):
    from .services import parse_text_file_to_data

    return parse_text_file_to_data(path, silent_errors=silent_errors)


def get_file_paths(files, *_args, **_options):
    return [f if isinstance(f, str) else getattr(f, "path", str(f)) for f in files or []]


def ssrf_safe_get(url, **options):
    from .requests_api import get

    return get(url, **options)


def create_ssrf_protected_client(*_args, **options):
    from .httpx_api import AsyncClient

    return AsyncClient(**{k: v for k, v in options.items() if k in ("timeout", "follow_redirects", "headers")})


def create_ssrf_protected_sync_client(*_args, **options):
    from .httpx_api import Client

    return Client(**{k: v for k, v in options.items() if k in ("timeout", "follow_redirects", "headers")})


def validate_and_resolve_url(url, *_args, **_options):
    return url, []


def is_host_allowed(*_args, **_options):
    return True


def pin_host_for_url(*_args, **_options):
    return None


def validate_mustache_template(template):
    for opening in ("{{#", "{{/", "{{^", "{{&", "{{>", "{{{"):
        if opening in template:
            raise ValueError(f"Only plain variables are allowed in a mustache template, and it has {opening!r}.")


def coalesce_bool(value):
    if isinstance(value, str):
        return value.strip().lower() in ("true", "1", "t", "y", "yes", "on")
    return bool(value)


def resolve_conditional_options(options=None, *_args, **_kwargs):
    return options


def get_component_toolkit():
    from .toolkit import component_tools

    class Toolkit:
        def __init__(self, component, metadata=None):
            self.component = component

        def get_tools(self, **_options):
            return component_tools(self.component)

    return Toolkit


def delete_message(*_args, **_options):
    raise server_only("The store of messages")
