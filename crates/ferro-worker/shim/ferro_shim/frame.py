"""DataFrame: a table as components use it, without pandas."""

from .data import Data
from .errors import ValidationError, unsupported
from .frame_ops import FrameOps
from .frame_text import FrameText
from .series import Index, Series, dtype_of


class DataFrame(FrameOps, FrameText):
    _is_frame = True

    def __init__(self, data=None, index=None, columns=None, text_key="text", default_value="", dtype=None, **_options):
        own = self.__dict__
        own["text_key"] = text_key
        own["default_value"] = default_value
        own["attrs"] = {}
        # The name of the row labels, or the list of names when the labels are tuples.
        own["_index_name"] = None
        table, labels = _read(data, columns, index)
        own["_cols"] = table
        length = len(next(iter(table.values()))) if table else len(labels or [])
        own["_index"] = list(index) if index is not None else labels if labels is not None else list(range(length))
        if table and len(self._index) != length:
            raise ValidationError(f"DataFrame: {len(self._index)} row labels for {length} rows.")
        if dtype is not None:
            own["_cols"] = self.astype(dtype)._cols

    @classmethod
    def from_rows(cls, columns, rows, text_key="text"):
        made = cls(text_key=text_key)
        made.__dict__["_cols"] = {c: [r[i] if i < len(r) else None for r in rows] for i, c in enumerate(columns)}
        made.__dict__["_index"] = list(range(len(rows)))
        return made

    @classmethod
    def from_dict(cls, data, orient="columns", columns=None):
        if orient == "index":
            rows = [dict(zip(columns, v)) if columns and not isinstance(v, dict) else v for v in data.values()]
            return cls(rows, index=list(data))
        return cls(data, columns=columns)

    @classmethod
    def from_records(cls, data, columns=None, **_options):
        return cls(list(data), columns=columns)

    @classmethod
    def from_data_list(cls, data_objects):
        return cls(list(data_objects))

    def _make(self, cols, index=None):
        made = object.__new__(type(self))
        made.__dict__.update(text_key=self.text_key, default_value=self.default_value, attrs={})
        made.__dict__["_index_name"] = self._index_name if index is not None else None
        made.__dict__["_cols"] = cols
        length = len(next(iter(cols.values()))) if cols else len(index or [])
        made.__dict__["_index"] = list(index) if index is not None else list(range(length))
        return made

    def _pick(self, places):
        index = self._index
        return self._make({c: [v[p] for p in places] for c, v in self._cols.items()}, [index[p] for p in places])

    # --- looking

    @property
    def columns(self):
        return Index(self._cols)

    @columns.setter
    def columns(self, names):
        names = list(names)
        if len(names) != len(self._cols):
            raise ValueError(f"{len(names)} names for {len(self._cols)} columns.")
        self.__dict__["_cols"] = dict(zip(names, self._cols.values()))

    @property
    def index(self):
        return Index(self._index)

    @index.setter
    def index(self, labels):
        self.__dict__["_index"] = list(labels)

    @property
    def shape(self):
        return (len(self._index), len(self._cols))

    @property
    def size(self):
        return len(self._index) * len(self._cols)

    @property
    def empty(self):
        return not self._index or not self._cols

    @property
    def dtypes(self):
        return Series([dtype_of(v) for v in self._cols.values()], list(self._cols))

    @property
    def values(self):
        return self.rows()

    @property
    def iloc(self):
        from .frame_at import ByPosition

        return ByPosition(self)

    @property
    def loc(self):
        from .frame_at import ByLabel

        return ByLabel(self)

    iat = iloc
    at = loc

    @property
    def T(self):  # noqa: N802 - the name pandas uses
        names = list(self._cols)
        rows = self.rows()
        return DataFrame({label: rows[p] for p, label in enumerate(self._index)}, index=names)

    def rows(self):
        """Rows as lists, in the order of the columns."""
        if not self._cols:
            return [[] for _ in self._index]
        return [list(row) for row in zip(*self._cols.values())]

    def records(self):
        names = list(self._cols)
        return [dict(zip(names, row)) for row in self.rows()]

    def __len__(self):
        return len(self._index)

    def __bool__(self):
        return bool(self._index)

    def __iter__(self):
        return iter(list(self._cols))

    def __contains__(self, name):
        return name in self._cols

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._pick(range(*key.indices(len(self))))
        if isinstance(key, Series) or (isinstance(key, list) and key and all(isinstance(k, bool) for k in key)):
            mask = list(key)
            if len(mask) != len(self):
                raise ValueError(f"A mask of {len(mask)} values for {len(self)} rows.")
            return self._pick([p for p, keep in enumerate(mask) if keep])
        if isinstance(key, (list, Index)):
            self._need(key)
            return self._make({c: list(self._cols[c]) for c in key}, self._index)
        self._need([key])
        series = Series.__new__(Series)
        # The column's own list: an edit in place shows in the table.
        series.__dict__.update(_values=self._cols[key], _index=self._index, name=key, _index_name=self._index_name)
        return series

    def _need(self, names):
        for name in names:
            if name not in self._cols:
                raise KeyError(f"{name} (the columns are: {', '.join(map(str, self._cols)) or 'none'})")

    def __setitem__(self, key, value):
        if isinstance(key, list):
            columns = list(value._cols.values()) if getattr(value, "_is_frame", False) else value
            for name, column in zip(key, columns):
                self[name] = column
            return
        if isinstance(key, Series):
            for column in self._cols.values():
                column[:] = [value if hit else v for v, hit in zip(column, key)]
            return
        if not self._cols and not self._index and not isinstance(value, str) and hasattr(value, "__len__"):
            self.__dict__["_index"] = list(range(len(value)))
        self._cols[key] = self._column(value)

    def _column(self, value):
        count = len(self._index)
        if isinstance(value, Series):
            if len(value) == count:
                return list(value)
            table = value.to_dict()
            return [table.get(i) for i in self._index]
        if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__len__"):
            if hasattr(value, "__iter__") and not isinstance(value, (str, bytes, dict)):
                value = list(value)
            else:
                return [value] * count
        if len(value) != count:
            raise ValueError(f"{len(value)} values for {count} rows.")
        return list(value)

    def __delitem__(self, key):
        self._need([key])
        del self._cols[key]

    def __getattr__(self, name):
        cols = self.__dict__.get("_cols")
        if cols is not None and name in cols:
            return self[name]
        if name[:1] == "_":
            raise AttributeError(name)
        raise unsupported(f"DataFrame.{name}")

    def __setattr__(self, name, value):
        if name in self.__dict__.get("_cols", ()):
            self[name] = value
        else:
            object.__setattr__(self, name, value)

    def get(self, name, default=None):
        return self[name] if name in self._cols else default

    def keys(self):
        return self.columns

    def items(self):
        return [(name, self[name]) for name in self._cols]

    def iterrows(self):
        names = list(self._cols)
        for label, row in zip(list(self._index), self.rows()):
            yield label, Series(row, names, label)

    def itertuples(self, index=True, name="Pandas"):
        from .frame_at import Row

        names = [str(c) for c in self._cols]
        for label, row in zip(self._index, self.rows()):
            if name is None:
                yield (label, *row) if index else tuple(row)
            else:
                yield Row(["Index", *names] if index else names, [label, *row] if index else row)

    def copy(self, deep=True):
        return self._make({c: list(v) for c, v in self._cols.items()}, self._index)

    __copy__ = copy

    def __deepcopy__(self, memo):
        import copy

        return self._make(copy.deepcopy(self._cols, memo), self._index)

    def equals(self, other):
        return getattr(other, "_is_frame", False) and self._cols == other._cols

    # --- what the component API adds

    def to_data_list(self):
        return [Data(data=row, text_key=self.text_key) for row in self.records()]

    def to_data(self):
        return Data(data={"results": self.records()})

    def to_message(self):
        from .message import Message

        return Message(text=self.to_markdown(index=False))

    def add_row(self, row):
        return self.add_rows([row])

    def add_rows(self, rows):
        new = [dict(r.data) if isinstance(r, Data) else dict(r) for r in rows]
        return type(self)([*self.records(), *new], text_key=self.text_key) if self._cols else type(self)(new)

    def to_lc_documents(self):
        return [item.to_lc_document() for item in self.to_data_list()]

    def to_pandas(self):
        import pandas

        return pandas.DataFrame(self._cols, index=self._index)


def _read(data, columns, index):
    """Columns as lists, and row labels where the data has some."""
    if data is None:
        if columns is not None:
            return {c: [None] * len(index or []) for c in columns}, None
        return {}, None
    if isinstance(data, (Data, str)) and not isinstance(data, dict):
        data = [data.data if isinstance(data, Data) else data]
    if getattr(data, "_is_frame", False):
        table, labels = {c: list(v) for c, v in data._cols.items()}, list(data._index)
    elif type(data).__name__ == "DataFrame" and type(data).__module__.startswith("pandas") and hasattr(data, "to_dict"):
        made = data.to_dict(orient="list")
        table, labels = {str(c): [_no_nan(v) for v in col] for c, col in made.items()}, None
    elif isinstance(data, Series):
        table, labels = {data.name if data.name is not None else 0: list(data)}, list(data._index)
    elif isinstance(data, dict):
        table, labels = _from_columns(data, index)
    elif hasattr(data, "__iter__"):
        return _from_items(list(data), columns), None
    else:
        raise ValidationError(f"DataFrame cannot be made from {type(data).__name__}: give a list of dicts or a dict of lists.")
    if columns is not None:
        length = len(labels) if labels is not None else len(next(iter(table.values()), []))
        table = {c: table.get(c, [None] * length) for c in columns}
    return table, labels


def _no_nan(value):
    if hasattr(value, "item") and not isinstance(value, (str, bytes, list, dict)):
        value = value.item()
    return None if isinstance(value, float) and value != value else value


def _from_columns(data, index):
    lists = {c: v for c, v in data.items() if hasattr(v, "__iter__") and not isinstance(v, (str, bytes, dict))}
    dicts = {c: v for c, v in data.items() if isinstance(v, dict)}
    if dicts and len(dicts) == len(data):
        labels = list(dict.fromkeys(k for v in dicts.values() for k in v))
        return {c: [v.get(k) for k in labels] for c, v in data.items()}, labels
    if data and not lists and index is None:
        raise ValidationError("DataFrame: all values are scalars. Give lists of values, or wrap the dict in a list for one row.")
    labels = None
    for value in lists.values():
        if isinstance(value, Series):
            labels = list(value._index)
    made = {c: list(v) for c, v in lists.items()}
    lengths = {len(v) for v in made.values()}
    if len(lengths) > 1:
        told = ", ".join(f"{c}: {len(v)}" for c, v in made.items())
        raise ValidationError(f"DataFrame: all columns must have the same length ({told}).")
    length = lengths.pop() if lengths else len(index or [])
    return {c: made[c] if c in made else [v] * length for c, v in data.items()}, labels


def _from_items(items, columns):
    if not items:
        return {c: [] for c in columns or []}
    rows = []
    for item in items:
        if isinstance(item, Data):
            item = item.data
        elif isinstance(item, Series):
            item = item.to_dict()
        elif hasattr(item, "_asdict"):
            item = item._asdict()
        elif hasattr(type(item), "__dataclass_fields__"):
            item = {n: getattr(item, n) for n in type(item).__dataclass_fields__}
        rows.append(item)
    kinds = [isinstance(r, dict) for r in rows]
    if all(kinds):
        names = list(columns) if columns is not None else list(dict.fromkeys(k for r in rows for k in r))
        return {c: [r.get(c) for r in rows] for c in names}
    if any(kinds):
        raise ValidationError("DataFrame: some rows are dicts and some are not.")
    if all(isinstance(r, (list, tuple)) for r in rows):
        width = max(len(r) for r in rows)
        names = list(columns) if columns is not None else list(range(width))
        if len(names) != width:
            raise ValidationError(f"DataFrame: {len(names)} columns named, but the rows have {width} values.")
        return {c: [r[i] if i < len(r) else None for r in rows] for i, c in enumerate(names)}
    names = list(columns) if columns is not None else [0]
    return {names[0]: rows}


Table = DataFrame
