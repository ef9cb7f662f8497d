"""The accessors of Series: texts, dates, positions, labels."""

from .errors import unsupported
from .series import Series, is_na

_TEXT = (
    "lower upper title capitalize strip lstrip rstrip swapcase zfill ljust rjust center startswith endswith isdigit "
    "isalpha isnumeric isalnum isupper islower isspace find rfind count casefold removeprefix removesuffix"
).split()


class StrMethods:
    def __init__(self, series):
        self._series = series

    def _each(self, work, missing=None):
        return self._series._like([work(v) if isinstance(v, str) else missing for v in self._series])

    def __getattr__(self, name):
        if name in _TEXT:
            missing = False if name.startswith(("is", "starts", "ends")) else None
            return lambda *args, na=missing: self._each(lambda v: getattr(v, name)(*args), na)
        raise unsupported(f"Series.str.{name}")

    def len(self):
        return self._series._like([len(v) if hasattr(v, "__len__") else None for v in self._series])

    def contains(self, pat, case=True, flags=0, na=False, regex=True):
        import re

        if not regex:
            if case:
                return self._each(lambda v: pat in v, na)
            return self._each(lambda v: pat.lower() in v.lower(), na)
        compiled = re.compile(pat, flags | (0 if case else re.IGNORECASE))
        return self._each(lambda v: compiled.search(v) is not None, na)

    def match(self, pat, case=True, flags=0, na=False):
        import re

        compiled = re.compile(pat, flags | (0 if case else re.IGNORECASE))
        return self._each(lambda v: compiled.match(v) is not None, na)

    def fullmatch(self, pat, na=False):
        import re

        return self._each(lambda v: re.fullmatch(pat, v) is not None, na)

    def replace(self, pat, repl, n=-1, case=True, flags=0, regex=False):
        if not regex:
            return self._each(lambda v: v.replace(pat, repl, n))
        import re

        compiled = re.compile(pat, flags | (0 if case else re.IGNORECASE))
        return self._each(lambda v: compiled.sub(repl, v, count=max(n, 0)))

    def split(self, pat=None, n=-1, expand=False):
        made = self._each(lambda v: v.split(pat, n))
        return _spread(made) if expand else made

    def rsplit(self, pat=None, n=-1, expand=False):
        made = self._each(lambda v: v.rsplit(pat, n))
        return _spread(made) if expand else made

    def extract(self, pat, expand=True):
        import re

        compiled = re.compile(pat)

        def first(v):
            found = compiled.search(v)
            return list(found.groups()) if found else [None] * compiled.groups

        made = self._each(first, [None] * compiled.groups)
        if not expand and compiled.groups == 1:
            return made.map(lambda v: v[0])
        frame = _spread(made)
        names = {i - 1: n for n, i in compiled.groupindex.items()}
        return frame.rename(columns=names)

    def findall(self, pat, flags=0):
        import re

        return self._each(lambda v: re.findall(pat, v, flags))

    def slice(self, start=None, stop=None, step=None):
        return self._each(lambda v: v[start:stop:step])

    def get(self, at):
        return self._series._like([v[at] if hasattr(v, "__getitem__") and len(v) > at else None for v in self._series])

    __getitem__ = get

    def join(self, sep):
        return self._series._like([sep.join(v) if isinstance(v, (list, tuple)) else None for v in self._series])

    def cat(self, others=None, sep=""):
        if others is None:
            return (sep or "").join(v for v in self._series if isinstance(v, str))
        return self._series._with(others, lambda a, b: f"{a}{sep}{b}")

    def pad(self, width, side="left", fillchar=" "):
        how = {"left": "rjust", "right": "ljust", "both": "center"}[side]
        return self._each(lambda v: getattr(v, how)(width, fillchar))


def _spread(series):
    from .frame import DataFrame

    width = max((len(v) for v in series if v), default=0)
    columns = {i: [v[i] if v and i < len(v) else None for v in series] for i in range(width)}
    return DataFrame(columns, index=series._index)


class DateMethods:
    def __init__(self, series):
        self._series = series

    def _each(self, work):
        return self._series._like([None if is_na(v) else work(v) for v in self._series])

    def __getattr__(self, name):
        if name in ("year", "month", "day", "hour", "minute", "second"):
            return self._each(lambda v: getattr(v, name))
        if name in ("weekday", "dayofweek"):
            return self._each(lambda v: v.weekday())
        if name == "quarter":
            return self._each(lambda v: (v.month + 2) // 3)
        if name in ("date", "time"):
            return self._each(lambda v: getattr(v, name)())
        raise unsupported(f"Series.dt.{name}")

    def strftime(self, form):
        return self._each(lambda v: v.strftime(form))

    def day_name(self):
        return self._each(lambda v: v.strftime("%A"))

    def month_name(self):
        return self._each(lambda v: v.strftime("%B"))


class ByPosition:
    def __init__(self, series):
        self._series = series

    def __getitem__(self, at):
        series = self._series
        if isinstance(at, (slice, int)) and not isinstance(at, bool):
            return series[at] if isinstance(at, slice) else series._values[at]
        at = list(at)
        if at and all(isinstance(a, bool) for a in at):
            return series[at]
        return Series([series._values[a] for a in at], [series._index[a] for a in at], series.name)

    def __setitem__(self, at, value):
        self._series._values[at] = value


class ByLabel:
    def __init__(self, series):
        self._series = series

    def __getitem__(self, key):
        if isinstance(key, slice):
            labels = self._series._index
            start = labels.index(key.start) if key.start is not None else None
            stop = labels.index(key.stop) + 1 if key.stop is not None else None
            return self._series[slice(start, stop)]
        return self._series[key]

    def __setitem__(self, key, value):
        if isinstance(key, Series):
            for at, chosen in enumerate(key):
                if chosen:
                    self._series._values[at] = value
        else:
            self._series[key] = value
