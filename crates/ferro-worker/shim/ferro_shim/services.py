"""Stand-ins for the server's services; what a component may have goes through the host."""

from types import SimpleNamespace

from .data import Data
from .errors import server_only
from .files import read_bytes, read_text

TEXT_FILE_TYPES = ["csv", "json", "pdf", "txt", "md", "mdx", "yaml", "yml", "xml", "html", "htm", "docx", "py", "sh", "sql", "js", "ts", "tsx"]


def get_settings_service():
    return SimpleNamespace(settings=SimpleNamespace(user_agent="component", config_dir="", storage_type="local"))


def _none(what):
    def service(*_args, **_options):
        raise server_only(what)

    return service


get_storage_service = _none("The storage service (read files with self.read_file(path))")
get_variable_service = _none("The variable service (use self.get_variable(name))")
session_scope = _none("The database")
get_session = session_scope
get_db_service = session_scope
get_cache_service = _none("The cache")
get_shared_component_cache_service = get_cache_service


def get_tracing_service():
    return None


async def read_file_bytes(path, *_args, **_options):
    return read_bytes(path)


async def read_file_text(path, encoding="utf-8", *_args, **_options):
    return read_text(path, encoding)


def file_exists(path, *_args, **_options):
    try:
        read_bytes(path)
    except RuntimeError:
        return False
    return True


def get_file_size(path, *_args, **_options):
    return len(read_bytes(path))


def parse_storage_path(path):
    folder, _, name = str(path).rpartition("/")
    return (folder, name) if folder and name else None


def read_text_file(path):
    return read_text(path)


def parse_text_file_to_data(path, *, silent_errors=False):
    try:
        text = read_text(path)
    except RuntimeError:
        if silent_errors:
            return None
        raise
    return Data(data={"file_path": str(path), "text": text})
