"""Helper functions that components import."""

import json

from .data import Data
from .message import Message, fill_template


def _template_values(item):
    if isinstance(item, str):
        return {"text": item, "data": {"text": item}}
    values = dict(item.data)
    values.setdefault("text", item.get_text())
    values["data"] = item.data
    return values


def data_to_text_list(template, data):
    """Each record put into the template; the texts and the records."""
    if data is None:
        return [], []
    if not isinstance(template, str):
        raise TypeError(f"The template must be a text, not {type(template).__name__}.")
    items = [Data(text=i) if isinstance(i, str) else i for i in (data if isinstance(data, list) else [data])]
    texts = []
    for item in items:
        if not isinstance(item, Data):
            raise TypeError(f"Only Data goes into a template, not {type(item).__name__}.")
        texts.append(fill_template(template, _template_values(item)))
    return texts, items


def data_to_text(template, data, sep="\n"):
    texts, _ = data_to_text_list(template, data)
    return sep.join(texts)


def docs_to_data(documents):
    return [Data.from_document(d) for d in documents]


def messages_to_text(template, messages):
    items = messages if isinstance(messages, list) else [messages]
    out = []
    for item in items:
        values = {**item.data, "text": item.get_text(), "sender_name": item.data.get("sender_name") or "", "sender": item.data.get("sender") or ""}
        out.append(fill_template(template, values))
    return "\n".join(out)


def clean_string(text):
    lines = [line.strip() for line in text.split("\n")]
    return "\n".join(line for line in lines if line)


def safe_convert(data, *, clean_data=False):
    """Any value as text."""
    if isinstance(data, str):
        text = data
    elif isinstance(data, Message):
        text = data.get_text()
    elif isinstance(data, Data):
        text = json.dumps(data.data, ensure_ascii=False, indent=2, default=str)
    elif getattr(data, "_is_frame", False):
        if clean_data:
            data = data.dropna(how="all")
        text = data.to_markdown(index=False)
    else:
        text = str(data)
    return clean_string(text) if clean_data else text


def dict_values_to_string(values):
    out = {}
    for key, value in values.items():
        if isinstance(value, list):
            out[key] = "\n".join(data_to_string(v) for v in value)
        else:
            out[key] = data_to_string(value)
    return out


def data_to_string(value):
    if isinstance(value, Data):
        return value.get_text()
    return getattr(value, "page_content", None) or str(value)


def process_prompt_template(template="", name="", custom_fields=None, frontend_node_template=None, **_options):
    """The variables of a template, each as a field of the node."""
    import re

    from .inputs import DefaultPromptField

    names = list(dict.fromkeys(re.findall(r"(?<!\{)\{([A-Za-z_][A-Za-z0-9_]*)\}(?!\})", template)))
    fields = frontend_node_template if frontend_node_template is not None else {}
    known = custom_fields if custom_fields is not None else {}
    for gone in known.get(name) or []:
        if gone not in names:
            fields.pop(gone, None)
    known[name] = names
    for field in names:
        if field not in fields:
            fields[field] = DefaultPromptField(name=field, display_name=field).to_dict()
    return names


def update_template_values(new, old):
    for name, entry in old.items():
        if isinstance(entry, dict) and isinstance(new.get(name), dict) and "value" in entry:
            new[name]["value"] = entry["value"]
    return new


def format_type(kind):
    from .output import _names_of, _unique

    names = _unique(_names_of(kind, {}))
    return names[0] if names else "Any"


def extract_inner_type(kind):
    args = getattr(kind, "__args__", None)
    return args[0] if args else kind


def extract_union_types(kind):
    return list(getattr(kind, "__args__", None) or [kind])


def post_process_type(kind):
    return extract_union_types(extract_inner_type(kind) if getattr(kind, "__origin__", None) is list else kind)


def unescape_string(text):
    return text.replace("\\n", "\n")


def escape_json_dump(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).replace('"', "œ")


def transform_localhost_url(url):
    return url


def remove_ansi_escape_codes(text):
    import re

    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)


def build_loader_repr_from_data(data):
    if not data:
        return "0 records"
    average = sum(len(d.get_text()) for d in data) / len(data)
    return f"{len(data)} records\nAvg. Record Length (characters): {int(average)}\nRecords: {data[:3]}..."


def run_until_complete(coroutine):
    from . import aio

    return aio.run(coroutine)


def timeout_context(seconds):
    from . import aio

    return aio.install().timeout(seconds)


def get_version_info():
    return {"version": "1.0.0", "main_version": "1.0.0", "package": "component API"}


def get_data_structure(data, **_options):
    """The shape of nested data: type names in place of values."""
    if isinstance(data, Data):
        data = data.data
    if isinstance(data, dict):
        return {k: get_data_structure(v) for k, v in data.items()}
    if isinstance(data, list):
        return f"list({get_data_structure(data[0])})[size={len(data)}]" if data else "list(unknown)"
    return type(data).__name__


def raise_error_if_astra_cloud_disable_component(_message):
    return None


def is_astra_cloud_environment():
    return False


def get_user_agent():
    return "component"


def validate_url_for_ssrf(url, **_options):
    """The host checks every address itself."""
    return url


def is_ssrf_protection_enabled():
    return True


def get_model_name(model, display_name="Custom"):
    return getattr(model, "model_name", None) or display_name


def build_status_from_tool(tool):
    return f"Tool: {tool.name}\n{tool.description}"


def timestamp_to_str(value):
    return value.strftime("%Y-%m-%d %H:%M:%S UTC") if hasattr(value, "strftime") else str(value)


CUSTOM_ENCODERS = {}


def get_artifact_type(value, *_args):
    if isinstance(value, (str, Message)):
        return "text"
    if isinstance(value, Data) or isinstance(value, dict):
        return "object"
    return "array" if isinstance(value, list) else "unknown"


def post_process_raw(raw, artifact_type):
    return raw, artifact_type


async def astore_message(message, *_args, **_options):
    from .component_parts import send

    return [send(None, message)]


def store_message(message, *_args, **_options):
    from .component_parts import send

    return [send(None, message)]


def get_messages(*_args, **_options):
    from .errors import server_only

    raise server_only("The store of messages (wire a Message History node into the component)")


async def aget_messages(*args, **options):
    return get_messages(*args, **options)
