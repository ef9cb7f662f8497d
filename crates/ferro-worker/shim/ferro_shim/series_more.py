"""Methods of Series that make new Series."""

from .errors import unsupported
from .series import Series, cast, is_na, label_columns, order_key


def tolist(self):
    return list(self._values)


def to_dict(self):
    return dict(zip(self._index, self._values))


def to_frame(self, name=None):
    from .frame import DataFrame

    made = DataFrame({name or self.name or 0: self._values}, index=self._index)
    made.__dict__["_index_name"] = self._index_name
    return made


def to_string(self, index=True, **_options):
    return "\n".join(f"{i}    {v}" if index else str(v) for i, v in self.items())


def to_json(self, orient="index", **_options):
    import json

    return json.dumps(self.tolist() if orient in ("values", "records") else {str(k): v for k, v in self.items()}, default=str)


def copy(self, deep=True):
    return Series(list(self._values), list(self._index), self.name)


def apply(self, function, args=(), convert_dtype=None, **kwargs):
    return self._like([function(v, *args, **kwargs) for v in self._values])


def map_values(self, table, na_action=None):
    if isinstance(table, Series):
        table = table.to_dict()
    if isinstance(table, dict):
        return self._like([table.get(v) for v in self._values])
    skip = na_action == "ignore"
    return self._like([v if skip and is_na(v) else table(v) for v in self._values])


def astype(self, kind, errors="raise", **_options):
    if errors == "ignore":
        try:
            return self._like([cast(v, kind) for v in self._values])
        except (TypeError, ValueError):
            return self
    return self._like([cast(v, kind) for v in self._values])


def isna(self):
    return self._like([is_na(v) for v in self._values])


def notna(self):
    return self._like([not is_na(v) for v in self._values])


def isin(self, values):
    values = list(values)
    return self._like([v in values for v in self._values])


def between(self, low, high, inclusive="both"):
    def test(v):
        if is_na(v):
            return False
        left = v >= low if inclusive in ("both", "left") else v > low
        right = v <= high if inclusive in ("both", "right") else v < high
        return left and right

    return self._like([test(v) for v in self._values])


def fillna(self, value=None, method=None, inplace=False, **_options):
    if method in ("ffill", "pad"):
        made = _carry(self._values)
    elif method in ("bfill", "backfill"):
        made = _carry(self._values[::-1])[::-1]
    elif isinstance(value, (dict, Series)):
        table = dict(value.items())
        made = [table.get(i, v) if is_na(v) else v for i, v in self.items()]
    else:
        made = [value if is_na(v) else v for v in self._values]
    if inplace:
        self._values[:] = made
        return None
    return self._like(made)


def _carry(values):
    out, last = [], None
    for value in values:
        last = last if is_na(value) else value
        out.append(last)
    return out


def _pick(self, places):
    return self._keep(Series([self._values[p] for p in places], [self._index[p] for p in places], self.name))


def dropna(self, **_options):
    return _pick(self, [p for p, v in enumerate(self._values) if not is_na(v)])


def unique(self):
    out = []
    seen = set()
    for value in self._values:
        try:
            new = value not in seen
            seen.add(value)
        except TypeError:
            new = value not in out
        if new:
            out.append(value)
    return Series(out).tolist()


def drop_duplicates(self, **_options):
    left = [p for p, d in enumerate(duplicated(self)) if not d]
    return _pick(self, left)


def duplicated(self, keep="first"):
    seen, out = [], []
    for value in self._values:
        out.append(value in seen)
        seen.append(value)
    return self._like(out)


def value_counts(self, normalize=False, sort=True, ascending=False, dropna=True, **_options):
    counts = {}
    for value in self._values:
        if not (dropna and is_na(value)):
            counts[value] = counts.get(value, 0) + 1
    pairs = list(counts.items())
    if sort:
        pairs.sort(key=lambda p: p[1] if ascending else -p[1])
    total = sum(counts.values()) or 1
    values = [c / total for _, c in pairs] if normalize else [c for _, c in pairs]
    made = Series(values, [k for k, _ in pairs], "proportion" if normalize else "count")
    made._index_name = self.name
    return made


def sort_values(self, ascending=True, **_options):
    places = sorted(range(len(self._values)), key=lambda p: order_key(self._values[p]), reverse=not ascending)
    if not ascending:
        places = [p for p in places if not is_na(self._values[p])] + [p for p in places if is_na(self._values[p])]
    return _pick(self, places)


def sort_index(self, ascending=True, **_options):
    return _pick(self, sorted(range(len(self._index)), key=lambda p: order_key(self._index[p]), reverse=not ascending))


def reset_index(self, drop=False, name=None, **_options):
    if drop:
        return Series(self._values, None, self.name)
    from .frame import DataFrame

    return DataFrame({**label_columns(self._index, self._index_name), name or self.name or 0: self._values})


def head(self, n=5):
    return self[:n]


def tail(self, n=5):
    return self[-n:] if n else self[:0]


def nlargest(self, n=5):
    return head(sort_values(self, ascending=False), n)


def nsmallest(self, n=5):
    return head(sort_values(self), n)


def cumsum(self):
    total, out = 0, []
    for value in self._values:
        if not is_na(value):
            total += value
        out.append(None if is_na(value) else total)
    return self._like(out)


def shift(self, periods=1, fill_value=None):
    n = len(self._values)
    return self._like([self._values[p - periods] if 0 <= p - periods < n else fill_value for p in range(n)])


def diff(self, periods=1):
    return self - shift(self, periods)


def pct_change(self, periods=1):
    return self / shift(self, periods) - 1


def clip(self, lower=None, upper=None):
    def bound(v):
        if is_na(v):
            return v
        v = v if lower is None else max(v, lower)
        return v if upper is None else min(v, upper)

    return self._like([bound(v) for v in self._values])


def replace(self, to_replace=None, value=None, regex=False, **_options):
    if regex:
        import re

        return self._like([re.sub(to_replace, value, v) if isinstance(v, str) else v for v in self._values])
    table = to_replace if isinstance(to_replace, dict) else None
    if table is None:
        olds = to_replace if isinstance(to_replace, (list, tuple)) else [to_replace]
        return self._like([value if v in olds else v for v in self._values])
    return self._like([table[v] if _hashable(v) and v in table else v for v in self._values])


def _hashable(value):
    return not isinstance(value, (list, dict, set))


def where(self, mask, other=None):
    return self._like([v if keep else other for v, keep in zip(self._values, mask)])


def agg(self, how, *args):
    if callable(how):
        return how(self)
    if isinstance(how, (list, tuple)):
        return Series([agg(self, h) for h in how], [h if isinstance(h, str) else h.__name__ for h in how], self.name)
    if how == "size":
        return len(self)
    method = getattr(Series, how, None)
    if method is None:
        raise unsupported(f"the aggregation {how!r}")
    return method(self, *args)


def rank(self, ascending=True, method="average", **_options):
    ordered = sorted((v for v in self._values if not is_na(v)), reverse=not ascending)
    out = []
    for value in self._values:
        if is_na(value):
            out.append(None)
            continue
        first = ordered.index(value) + 1
        last = first + ordered.count(value) - 1
        out.append(float(first if method in ("min", "first") else last if method == "max" else (first + last) / 2))
    return self._like(out)


def mode(self):
    counts = value_counts(self)
    top = counts.max() if len(counts) else 0
    return Series([k for k, c in counts.items() if c == top])


def describe(self):
    if all(is_na(v) or isinstance(v, (int, float)) for v in self._values):
        labels = ["count", "mean", "std", "min", "25%", "50%", "75%", "max"]
        quarters = [self.quantile(q) for q in (0.25, 0.5, 0.75)]
        return Series([float(self.count()), self.mean(), self.std(), self.min(), *quarters, self.max()], labels, self.name)
    counts = value_counts(self)
    top = counts._index[0] if len(counts) else None
    return Series([self.count(), len(counts), top, counts.max()], ["count", "unique", "top", "freq"], self.name)


def rename(self, name=None, **_options):
    return Series(self._values, self._index, name)


def explode(self):
    values, labels = [], []
    for label, value in self.items():
        for item in value if isinstance(value, (list, tuple)) else [value]:
            values.append(item)
            labels.append(label)
    return Series(values, labels, self.name)


for _name, _value in list(globals().items()):
    if callable(_value) and _name[:1] != "_" and getattr(_value, "__module__", "") == __name__:
        setattr(Series, {"map_values": "map"}.get(_name, _name), _value)
Series.isnull = isna
Series.notnull = notna
Series.to_list = tolist
Series.to_numpy = tolist
Series.ffill = lambda self: fillna(self, method="ffill")
Series.bfill = lambda self: fillna(self, method="bfill")
Series.product = Series.prod = lambda self: _product(self._numbers())
Series.last = lambda self: self._values[-1]


def _product(values):
    out = 1
    for value in values:
        out *= value
    return out
