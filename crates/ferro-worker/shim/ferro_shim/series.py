"""Series: one column, as far as components use it."""

import operator

from .errors import unsupported

text_type = str


def is_na(value):
    return value is None or value != value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def dtype_of(values):
    kinds = {type(v) for v in values if v is not None}
    if not kinds:
        return "object"
    if kinds <= {bool}:
        return "bool"
    if kinds <= {int}:
        return "int64" if not any(v is None for v in values) else "float64"
    if kinds <= {int, float}:
        return "float64"
    if all(k.__name__ == "datetime" for k in kinds):
        return "datetime64[ns]"
    return "object"


def order_key(value):
    """Sorts numbers before texts and missing values last."""
    if is_na(value):
        return (2, 0)
    if isinstance(value, str):
        return (1, value)
    return (0, value)


def cast(value, kind):
    name = kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))
    if name.startswith("str") or name == "string":
        return value if isinstance(value, str) else str(value)
    if name == "object" or name == "category":
        return value
    if is_na(value):
        if name.startswith("int") or name.startswith("Int"):
            if name.startswith("Int"):
                return None
            raise ValueError("cannot turn a missing value into an integer; use fillna first")
        return value
    if name.lower().startswith("int") or name.lower().startswith("uint"):
        return int(value)
    if name.lower().startswith("float"):
        return float(value)
    if name.startswith("bool"):
        return bool(value)
    if callable(kind):
        return kind(value)
    raise unsupported(f"astype({kind!r})")


def label_columns(labels, name):
    """Row labels as columns: one, or one per name when the labels are tuples."""
    if isinstance(name, (list, tuple)):
        return {n: [label[i] for label in labels] for i, n in enumerate(name)}
    return {name if name is not None else "index": list(labels)}


class Series:
    _is_series = True

    def __init__(self, data=None, index=None, name=None, dtype=None):
        if isinstance(data, dict):
            index = list(data) if index is None else list(index)
            data = [data.get(k) for k in index]
        elif isinstance(data, Series):
            index = data._index if index is None else list(index)
            name = data.name if name is None else name
        elif data is None:
            data = []
        elif isinstance(data, str) or not hasattr(data, "__iter__"):
            data = [data] * (len(index) if index is not None else 1)
        self._values = list(data)
        self._index = list(index) if index is not None else list(range(len(self._values)))
        self.name = name
        self._index_name = data._index_name if isinstance(data, Series) else None
        if dtype is not None:
            self._values = [cast(v, dtype) for v in self._values]

    def _like(self, values, name=None):
        return self._keep(Series(values, self._index, name or self.name))

    def _keep(self, made):
        made._index_name = self._index_name
        return made

    # --- looking

    @property
    def values(self):
        return self._values

    array = values

    @property
    def index(self):
        return Index(self._index)

    @index.setter
    def index(self, labels):
        self._index = list(labels)

    @property
    def dtype(self):
        return dtype_of(self._values)

    @property
    def empty(self):
        return not self._values

    @property
    def shape(self):
        return (len(self._values),)

    @property
    def size(self):
        return len(self._values)

    @property
    def str(self):
        from .series_parts import StrMethods

        return StrMethods(self)

    @property
    def dt(self):
        from .series_parts import DateMethods

        return DateMethods(self)

    @property
    def iloc(self):
        from .series_parts import ByPosition

        return ByPosition(self)

    @property
    def loc(self):
        from .series_parts import ByLabel

        return ByLabel(self)

    at = loc
    iat = iloc

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def __contains__(self, label):
        return label in self._index

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._keep(Series(self._values[key], self._index[key], self.name))
        if isinstance(key, (list, Series, Index)):
            key = list(key)
            if key and all(isinstance(k, bool) for k in key):
                pairs = [(v, i) for v, i, keep in zip(self._values, self._index, key) if keep]
                return self._keep(Series([v for v, _ in pairs], [i for _, i in pairs], self.name))
            return Series([self[k] for k in key], key, self.name)
        try:
            return self._values[self._index.index(key)]
        except ValueError:
            if isinstance(key, int) and any(not isinstance(i, int) for i in self._index):
                return self._values[key]
            raise KeyError(key) from None

    def __setitem__(self, key, value):
        if key in self._index:
            self._values[self._index.index(key)] = value
        else:
            self._index.append(key)
            self._values.append(value)

    def __getattr__(self, name):
        if name[:1] != "_":
            index = self.__dict__.get("_index", ())
            if name in index:
                return self._values[index.index(name)]
            raise unsupported(f"Series.{name}")
        raise AttributeError(name)

    def get(self, key, default=None):
        return self[key] if key in self._index else default

    def keys(self):
        return Index(self._index)

    def items(self):
        return zip(self._index, self._values)

    def __bool__(self):
        raise ValueError("A Series is neither true nor false: use .any(), .all() or .empty.")

    def __repr__(self):
        lines = [f"{i}    {v}" for i, v in list(self.items())[:60]]
        return "\n".join([*lines, f"Name: {self.name}, dtype: {self.dtype}"])

    # --- computing

    def _with(self, other, op, skip_missing=True):
        if isinstance(other, Series):
            if len(other) != len(self) and other._index != self._index:
                table = dict(other.items())
                others = [table.get(i) for i in self._index]
            else:
                others = other._values
        elif isinstance(other, (list, tuple)):
            others = other
        else:
            others = [other] * len(self._values)
        if not skip_missing:
            return self._like([op(a, b) for a, b in zip(self._values, others)])
        return self._like([None if is_na(a) or is_na(b) else op(a, b) for a, b in zip(self._values, others)])

    def _compare(self, other, op):
        def safe(a, b):
            if is_na(a) or is_na(b):
                return op is operator.ne
            return bool(op(a, b))

        return self._with(other, safe, skip_missing=False)

    def __invert__(self):
        return self._like([not v for v in self._values])

    def __neg__(self):
        return self._like([None if is_na(v) else -v for v in self._values])

    def __abs__(self):
        return self._like([None if is_na(v) else abs(v) for v in self._values])

    abs = __abs__
    __hash__ = None

    def _numbers(self):
        return [v for v in self._values if not is_na(v)]

    def sum(self, **_options):
        values = self._numbers()
        if values and isinstance(values[0], text_type):
            return "".join(values)
        return sum(values)

    def mean(self, **_options):
        values = self._numbers()
        return sum(values) / len(values) if values else float("nan")

    def median(self, **_options):
        return self.quantile(0.5)

    def quantile(self, q=0.5):
        values = sorted(self._numbers())
        if not values:
            return float("nan")
        at = (len(values) - 1) * q
        low = int(at)
        high = min(low + 1, len(values) - 1)
        return values[low] + (values[high] - values[low]) * (at - low)

    def var(self, ddof=1, **_options):
        values = self._numbers()
        if len(values) <= ddof:
            return float("nan")
        middle = sum(values) / len(values)
        return sum((v - middle) ** 2 for v in values) / (len(values) - ddof)

    def std(self, ddof=1, **_options):
        return self.var(ddof) ** 0.5

    def min(self, **_options):
        values = self._numbers()
        return min(values) if values else float("nan")

    def max(self, **_options):
        values = self._numbers()
        return max(values) if values else float("nan")

    def idxmax(self):
        return self._index[self._values.index(self.max())]

    def idxmin(self):
        return self._index[self._values.index(self.min())]

    def count(self):
        return len(self._numbers())

    def any(self):
        return any(self._values)

    def all(self):
        return all(self._values)

    def nunique(self, dropna=True):
        return len(self.dropna().unique()) if dropna else len(self.unique())

    def first(self):
        return self._values[0]

    def round(self, digits=0):
        return self._like([round(v, digits) if is_number(v) and not is_na(v) else v for v in self._values])



def _add_operators():
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
        op = getattr(operator, name)

        def forward(self, other, op=op):
            return self._with(other, op)

        def backward(self, other, op=op):
            return self._with(other, lambda a, b: op(b, a))

        setattr(Series, f"__{name}__", forward)
        setattr(Series, f"__r{name}__", backward)
        setattr(Series, name, forward)
    Series.div = Series.truediv
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        op = getattr(operator, name)

        def compare(self, other, op=op):
            return self._compare(other, op)

        setattr(Series, f"__{name}__", compare)
        setattr(Series, name, compare)
    for name, op in (
        ("and", lambda a, b: bool(a) and bool(b)),
        ("or", lambda a, b: bool(a) or bool(b)),
        ("xor", lambda a, b: bool(a) != bool(b)),
    ):

        def logic(self, other, op=op):
            return self._with(other, op, skip_missing=False)

        setattr(Series, f"__{name}__", logic)
        setattr(Series, f"__r{name}__", logic)


_add_operators()


class Index(list):
    """Labels of rows or columns."""

    def tolist(self):
        return list(self)

    to_list = tolist

    @property
    def values(self):
        return list(self)

    @property
    def str(self):
        return Series(self).str

    def map(self, function):
        return Index(function(v) for v in self)

    def isin(self, values):
        values = list(values)
        return [v in values for v in self]

    @property
    def empty(self):
        return not self

    def get_loc(self, label):
        try:
            return list.index(self, label)
        except ValueError:
            raise KeyError(label) from None

    def unique(self):
        return Index(dict.fromkeys(self))


from . import series_more  # noqa: E402,F401 - adds the methods that make new Series
