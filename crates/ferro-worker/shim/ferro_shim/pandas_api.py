"""What `import pandas` gives where the real pandas is not installed: this package's tables."""

from .errors import unsupported
from .frame import DataFrame
from .frame_join import concat  # noqa: F401 - offered on
from .series import Series, is_na

__version__ = "0.0.0"
NA = None
NaT = None


def merge(left, right, **options):
    return left.merge(right, **options)


def isna(value):
    if isinstance(value, (Series, DataFrame)):
        return value.isna()
    if isinstance(value, list):
        return [is_na(v) for v in value]
    return is_na(value)


isnull = isna


def notna(value):
    if isinstance(value, (Series, DataFrame)):
        return value.notna()
    return not is_na(value)


notnull = notna


def unique(values):
    return Series(values).unique()


def to_numeric(values, errors="raise", **_options):
    def number(value):
        if is_na(value) or isinstance(value, (int, float)):
            return value
        try:
            text = str(value).strip()
            return int(text) if text.lstrip("+-").isdigit() else float(text)
        except ValueError:
            if errors == "coerce":
                return None
            if errors == "ignore":
                return value
            raise ValueError(f"Unable to parse {value!r} as a number") from None

    return values._like([number(v) for v in values]) if isinstance(values, Series) else (
        [number(v) for v in values] if isinstance(values, (list, tuple)) else number(values)
    )


_FORMS = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d %H:%M", "%d %b %Y", "%B %d, %Y")


def to_datetime(values, format=None, errors="raise", **_options):
    from datetime import datetime

    def date(value):
        if is_na(value) or isinstance(value, datetime):
            return value
        if hasattr(value, "year"):
            return datetime(value.year, value.month, value.day)
        text = str(value).strip()
        try:
            return datetime.strptime(text, format) if format else datetime.fromisoformat(text.replace("Z", "+00:00"))
        except ValueError:
            for form in () if format else _FORMS:
                try:
                    return datetime.strptime(text, form)
                except ValueError:
                    pass
        if errors == "coerce":
            return None
        raise ValueError(f"Unable to read {value!r} as a date")

    if isinstance(values, Series):
        return values._like([date(v) for v in values])
    return [date(v) for v in values] if isinstance(values, (list, tuple)) else date(values)


def Timestamp(value=None, **_options):  # noqa: N802 - the name pandas uses
    return to_datetime(value)


def _text_of(source):
    if hasattr(source, "read"):
        text = source.read()
        return text.decode("utf-8") if isinstance(text, bytes) else text
    from .files import read_text

    return read_text(source)


def _value(text, missing):
    if text == "" or text in missing:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"True": True, "False": False, "true": True, "false": False}.get(text, text)


def read_csv(source, sep=",", delimiter=None, header="infer", names=None, dtype=None, usecols=None, nrows=None, **_options):
    import csv
    import io

    rows = [r for r in csv.reader(io.StringIO(_text_of(source), newline=""), delimiter=delimiter or sep) if r]
    if names is not None:
        columns = list(names)
        rows = rows[1:] if header == 0 else rows
    elif header is None:
        columns = list(range(len(rows[0]) if rows else 0))
    else:
        columns, rows = (rows[0], rows[1:]) if rows else ([], [])
    rows = rows[:nrows] if nrows is not None else rows
    missing = ("NA", "N/A", "NaN", "nan", "null", "NULL", "None")
    cols = {}
    for i, name in enumerate(columns):
        texts = [r[i] if i < len(r) else "" for r in rows]
        values = [_value(t, missing) for t in texts]
        if any(isinstance(v, str) for v in values):
            values = [None if v is None else t for v, t in zip(values, texts)]
        if dtype in (str, "str"):
            values = texts
        cols[name] = values
    made = DataFrame(cols)
    return made[list(usecols)] if usecols is not None else made


def read_json(source, orient=None, lines=False, **_options):
    import json

    text = _text_of(source) if hasattr(source, "read") or not str(source).lstrip()[:1] in ("[", "{") else source
    if lines:
        return DataFrame([json.loads(line) for line in text.splitlines() if line.strip()])
    return DataFrame(json.loads(text))


def json_normalize(data, record_path=None, sep=".", **_options):
    if record_path is not None:
        raise unsupported("json_normalize with record_path")

    def flat(value, prefix=""):
        out = {}
        for key, item in value.items():
            name = f"{prefix}{key}"
            if isinstance(item, dict):
                out.update(flat(item, name + sep))
            else:
                out[name] = item
        return out

    return DataFrame([flat(r) for r in (data if isinstance(data, list) else [data])])
