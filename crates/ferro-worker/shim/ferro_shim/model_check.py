"""Fitting values to annotations, for the small pydantic."""

from .errors import ValidationError

_ATOMS = (str, int, float, bool)


def _no(value, wanted):
    return ValidationError(f"must be {wanted}, not {type(value).__name__}")


def fit(value, note):
    if note is None or isinstance(note, str):
        return _fit_text(value, note)
    meta = getattr(note, "__metadata__", None)
    if meta is not None:
        return fit(value, note.__origin__)
    args = getattr(note, "__args__", None)
    if args is not None:
        return _fit_generic(value, note, args)
    if note in _ATOMS:
        return _fit_atom(value, note)
    if isinstance(note, type):
        return _fit_class(value, note)
    return value


def _fit_text(value, note):
    for kind in _ATOMS:
        if note == kind.__name__:
            return _fit_atom(value, kind)
    return value


def _fit_atom(value, kind):
    if kind is str:
        if isinstance(value, str):
            return value
        raise _no(value, "a text")
    if kind is bool:
        if isinstance(value, bool):
            return value
        if value in (0, 1):
            return bool(value)
        if isinstance(value, str) and value.lower() in ("true", "false", "1", "0", "yes", "no", "on", "off"):
            return value.lower() in ("true", "1", "yes", "on")
        raise _no(value, "true or false")
    try:
        made = kind(value)
    except (TypeError, ValueError):
        raise ValidationError(f"must be a number, and {value!r:.40} is none") from None
    if kind is int and isinstance(value, float) and made != value:
        raise ValidationError("must be a whole number")
    return made


def _fit_class(value, note):
    if isinstance(value, note):
        return value
    if hasattr(note, "model_validate"):
        return note.model_validate(value)
    if hasattr(note, "__members__"):
        try:
            return note(value)
        except ValueError:
            raise ValidationError(f"must be one of {[m.value for m in note.__members__.values()]}") from None
    if note in (list, tuple, set) and isinstance(value, (list, tuple, set)):
        return note(value)
    if note in (list, dict, tuple, set):
        raise _no(value, f"a {note.__name__}")
    if note.__name__ in ("datetime", "date", "time") and isinstance(value, str):
        try:
            return note.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            raise ValidationError(f"must be a {note.__name__} such as 2024-05-01") from None
    if note.__name__ in ("Decimal", "UUID", "SecretStr") or issubclass(note, str):
        try:
            return note(str(value) if note.__name__ == "Decimal" else value)
        except Exception:
            raise _no(value, f"a {note.__name__}") from None
    return value


def _fit_generic(value, note, args):
    origin = getattr(note, "__origin__", None)
    name = getattr(origin, "__name__", None) or getattr(origin, "_name", None) or type(note).__name__
    if name in ("Union", "UnionType", "Optional"):
        return _fit_union(value, args)
    if name == "Literal":
        if value in args:
            return value
        raise ValidationError(f"must be one of {list(args)}")
    if name in ("list", "List", "Sequence", "set", "Set"):
        if not isinstance(value, (list, tuple, set)):
            raise _no(value, "a list")
        made = [fit(v, args[0]) for v in value]
        return set(made) if name in ("set", "Set") else made
    if name in ("dict", "Dict", "Mapping"):
        if not isinstance(value, dict):
            raise _no(value, "a dict")
        return {k: fit(v, args[1]) for k, v in value.items()}
    if name in ("tuple", "Tuple"):
        return tuple(value)
    return value


def _fit_union(value, args):
    for kind in args:
        if kind is type(None) and value is None:
            return None
        if isinstance(kind, type) and not hasattr(kind, "__args__") and type(value) is kind:
            return value
    problem = None
    for kind in args:
        if kind is type(None):
            continue
        try:
            return fit(value, kind)
        except ValidationError as error:
            problem = problem or error
    raise problem or _no(value, "one of the allowed kinds")
