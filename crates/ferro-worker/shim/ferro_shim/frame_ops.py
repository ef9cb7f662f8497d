"""What is done with tables: picking, sorting, filling, joining."""

from .errors import unsupported
from .series import Series, is_na, is_number, label_columns, order_key


def _list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


class FrameOps:
    def head(self, n=5):
        return self._pick(range(len(self))[:n])

    def tail(self, n=5):
        return self._pick(range(len(self))[-n:] if n else [])

    def take(self, places):
        return self._pick(list(places))

    def sample(self, n=None, frac=None, random_state=None, **_options):
        import random

        count = n if n is not None else int(len(self) * (frac or 0)) if frac else 1
        return self._pick(random.Random(random_state).sample(range(len(self)), count))

    def _done(self, made, inplace):
        if not inplace:
            return made
        self.__dict__.update(_cols=made._cols, _index=made._index, _index_name=made._index_name)
        return None

    def sort_values(self, by, ascending=True, inplace=False, ignore_index=False, key=None, na_position="last", **_options):
        names = _list(by)
        self._need(names)
        ways = list(ascending) if isinstance(ascending, (list, tuple)) else [ascending] * len(names)
        places = list(range(len(self)))
        # Sorting is stable: the least important column goes first.
        for name, up in reversed(list(zip(names, ways))):
            values = list(key(self[name])) if key is not None else self._cols[name]
            present = [p for p in places if not is_na(values[p])]
            missing = [p for p in places if is_na(values[p])]
            present.sort(key=lambda p: order_key(values[p]), reverse=not up)
            places = missing + present if na_position == "first" else present + missing
        made = self._pick(places)
        if ignore_index:
            made.__dict__["_index"] = list(range(len(made)))
        return self._done(made, inplace)

    def sort_index(self, ascending=True, inplace=False, **_options):
        places = sorted(range(len(self)), key=lambda p: order_key(self._index[p]), reverse=not ascending)
        return self._done(self._pick(places), inplace)

    def nlargest(self, n, columns):
        return self.sort_values(columns, ascending=False).head(n)

    def nsmallest(self, n, columns):
        return self.sort_values(columns).head(n)

    def rename(self, mapper=None, columns=None, index=None, axis=None, inplace=False, **_options):
        table = columns if columns is not None else mapper if axis in (1, "columns") else None
        rows = index if index is not None else mapper if table is None else None
        name = lambda table, key: table(key) if callable(table) else table.get(key, key)  # noqa: E731
        cols = {name(table, c): list(v) for c, v in self._cols.items()} if table is not None else dict(self._cols)
        labels = [name(rows, i) for i in self._index] if rows is not None else self._index
        return self._done(self._make(cols, labels), inplace)

    def drop(self, labels=None, axis=0, columns=None, index=None, inplace=False, errors="raise", **_options):
        if columns is None and axis in (1, "columns"):
            columns, labels = labels, None
        rows = index if index is not None else labels
        made = self
        if columns is not None:
            gone = _list(columns)
            if errors != "ignore":
                self._need(gone)
            made = made._make({c: list(v) for c, v in made._cols.items() if c not in gone}, made._index)
        if rows is not None:
            gone = _list(rows) if not hasattr(rows, "tolist") else rows.tolist()
            if errors != "ignore":
                for label in gone:
                    if label not in self._index:
                        raise KeyError(f"{label} not found among the row labels")
            made = made._pick([p for p, label in enumerate(made._index) if label not in gone])
        return self._done(made, inplace)

    def pop(self, name):
        column = self[name].copy()
        del self._cols[name]
        return column

    def insert(self, loc, column, value):
        pairs = list(self._cols.items())
        pairs.insert(loc, (column, self._column(value)))
        self.__dict__["_cols"] = dict(pairs)

    def assign(self, **columns):
        made = self.copy()
        for name, value in columns.items():
            made[name] = value(made) if callable(value) else value
        return made

    def isna(self):
        return self._make({c: [is_na(v) for v in col] for c, col in self._cols.items()}, self._index)

    isnull = isna

    def notna(self):
        return self._make({c: [not is_na(v) for v in col] for c, col in self._cols.items()}, self._index)

    notnull = notna

    def dropna(self, axis=0, how="any", subset=None, inplace=False, thresh=None, **_options):
        if axis in (1, "columns"):
            test = any if how == "any" else all
            made = self._make({c: v for c, v in self._cols.items() if not test(map(is_na, v))}, self._index)
            return self._done(made, inplace)
        names = _list(subset) if subset is not None else list(self._cols)
        keep = []
        for place in range(len(self)):
            missing = [is_na(self._cols[c][place]) for c in names]
            bad = len(names) - sum(missing) < thresh if thresh is not None else any(missing) if how == "any" else all(missing)
            if not bad:
                keep.append(place)
        return self._done(self._pick(keep), inplace)

    def fillna(self, value=None, inplace=False, method=None, **_options):
        cols = {}
        for name in self._cols:
            if isinstance(value, dict) and name not in value:
                cols[name] = list(self._cols[name])
            else:
                chosen = value[name] if isinstance(value, dict) else value
                cols[name] = list(self[name].fillna(chosen, method=method))
        return self._done(self._make(cols, self._index), inplace)

    def ffill(self):
        return self.fillna(method="ffill")

    def bfill(self):
        return self.fillna(method="bfill")

    def duplicated(self, subset=None, keep="first"):
        names = _list(subset) if subset is not None else list(self._cols)
        rows = [tuple(repr(self._cols[c][p]) for c in names) for p in range(len(self))]
        order = range(len(rows)) if keep != "last" else range(len(rows) - 1, -1, -1)
        out, seen = [False] * len(rows), set()
        for place in order:
            out[place] = rows[place] in seen or (keep is False and rows.count(rows[place]) > 1)
            seen.add(rows[place])
        return Series(out, self._index)

    def drop_duplicates(self, subset=None, keep="first", inplace=False, ignore_index=False, **_options):
        made = self._pick([p for p, again in enumerate(self.duplicated(subset, keep)) if not again])
        if ignore_index:
            made.__dict__["_index"] = list(range(len(made)))
        return self._done(made, inplace)

    def reset_index(self, drop=False, inplace=False, names=None, **_options):
        cols = dict(self._cols)
        if not drop:
            cols = {**label_columns(self._index, names or self._index_name), **cols}
        return self._done(self._make(cols), inplace)

    def set_index(self, keys, drop=True, inplace=False, **_options):
        names = _list(keys)
        self._need(names)
        cols = {c: v for c, v in self._cols.items() if not (drop and c in names)}
        labels = list(self._cols[names[0]]) if len(names) == 1 else list(zip(*(self._cols[n] for n in names)))
        made = self._make(cols, labels)
        made.__dict__["_index_name"] = names[0] if len(names) == 1 else names
        return self._done(made, inplace)

    def astype(self, kind, errors="raise", **_options):
        made = self.copy()
        for name in kind if isinstance(kind, dict) else self._cols:
            made[name] = made[name].astype(kind[name] if isinstance(kind, dict) else kind, errors=errors)
        return made

    def apply(self, function, axis=0, args=(), **kwargs):
        if axis in (1, "columns"):
            made = [function(row, *args, **kwargs) for _, row in self.iterrows()]
            if made and all(isinstance(m, Series) for m in made):
                return type(self)([m.to_dict() for m in made], index=self._index)
            return Series(made, self._index)
        made = {c: function(self[c], *args, **kwargs) for c in self._cols}
        if made and all(isinstance(m, Series) for m in made.values()):
            return self._make({c: list(m) for c, m in made.items()}, self._index)
        return Series(list(made.values()), list(made))

    def map(self, function, **_options):
        return self._make({c: [function(v) for v in col] for c, col in self._cols.items()}, self._index)

    applymap = map

    def pipe(self, function, *args, **kwargs):
        return function(self, *args, **kwargs)

    def replace(self, to_replace=None, value=None, regex=False, **_options):
        return self._make({c: list(self[c].replace(to_replace, value, regex=regex)) for c in self._cols}, self._index)

    def filter(self, items=None, like=None, regex=None, axis=1):
        import re

        keep = [
            c
            for c in self._cols
            if (items is None or c in items) and (like is None or like in str(c)) and (regex is None or re.search(regex, str(c)))
        ]
        return self[keep]

    def select_dtypes(self, include=None, exclude=None):
        def fits(name, kinds):
            dtype = self[name].dtype
            words = [k if isinstance(k, str) else getattr(k, "__name__", str(k)) for k in _list(kinds)]
            number = dtype.startswith(("int", "float"))
            return any(w == "number" and number or dtype.startswith(w) or (w == "str" and dtype == "object") for w in words)

        names = [c for c in self._cols if (include is None or fits(c, include)) and not (exclude is not None and fits(c, exclude))]
        return self[names]

    def _reduce(self, how, numeric_only=True):
        names = [c for c in self._cols if not numeric_only or all(is_na(v) or is_number(v) or isinstance(v, bool) for v in self._cols[c])]
        return Series([getattr(self[c], how)() for c in names], names)

    def describe(self, **_options):
        names = list(self.select_dtypes("number")._cols) or list(self._cols)
        made = {c: self[c].describe() for c in names}
        labels = list(next(iter(made.values()))._index) if made else []
        return self._make({c: list(s) for c, s in made.items()}, labels)

    def nunique(self):
        return self._reduce("nunique", numeric_only=False)

    def count(self, **_options):
        return self._reduce("count", numeric_only=False)

    def groupby(self, by, as_index=True, sort=True, dropna=True, **_options):
        from .groupby import GroupBy

        return GroupBy(self, _list(by), as_index, sort, dropna, isinstance(by, (list, tuple)))

    def merge(self, right, **options):
        from .frame_join import merge

        return merge(self, right, **options)

    def join(self, other, on=None, how="left", **_options):
        from .frame_join import merge

        left = self.reset_index()
        made = merge(left, other.reset_index(), on="index", how=how) if on is None else None
        if made is None:
            raise unsupported("DataFrame.join with `on`; use merge")
        return made.drop(columns="index")

    def query(self, _text, **_options):
        raise unsupported("DataFrame.query; write the condition as a mask, df[df[\"a\"] > 1]")

    def explode(self, column, ignore_index=False):
        rows, labels = [], []
        for label, row in zip(self._index, self.records()):
            value = row[column]
            for item in value if isinstance(value, (list, tuple)) else [value]:
                rows.append({**row, column: item})
                labels.append(label)
        return type(self)(rows, index=None if ignore_index else labels, columns=list(self._cols))

    def pivot_table(self, values=None, index=None, columns=None, aggfunc="mean", fill_value=None, **_options):
        from .frame_join import pivot

        return pivot(self, values, index, columns, aggfunc, fill_value)

    def melt(self, id_vars=None, value_vars=None, var_name="variable", value_name="value"):
        kept = _list(id_vars) if id_vars is not None else []
        names = _list(value_vars) if value_vars is not None else [c for c in self._cols if c not in kept]
        rows = [{**{k: r[k] for k in kept}, var_name: n, value_name: r[n]} for n in names for r in self.records()]
        return type(self)(rows)

    def agg(self, how, **_options):
        if isinstance(how, dict):
            return Series([self[c].agg(h) for c, h in how.items()], list(how))
        return Series([self[c].agg(how) for c in self._cols], list(self._cols))

    aggregate = agg

    def value_counts(self, subset=None, **_options):
        names = _list(subset) if subset is not None else list(self._cols)
        return Series([tuple(r[n] for n in names) for r in self.records()]).value_counts()

    def corr(self, **_options):
        raise unsupported("DataFrame.corr")

    def __eq__(self, other):
        if getattr(other, "_is_frame", False):
            return self._make({c: [a == b for a, b in zip(v, other._cols.get(c, []))] for c, v in self._cols.items()}, self._index)
        return self._make({c: [v == other for v in col] for c, col in self._cols.items()}, self._index)

    __hash__ = None


def _reducers():
    for name in ("sum", "mean", "median", "std", "var", "min", "max", "any", "all"):

        def reduce(self, axis=0, numeric_only=None, how=name, **_options):
            if axis in (1, "columns"):
                return Series([getattr(Series([v for v in row if is_number(v)]), how)() for row in self.rows()], self._index)
            loose = how in ("min", "max", "any", "all") and not numeric_only
            return self._reduce(how, numeric_only=not loose)

        setattr(FrameOps, name, reduce)


_reducers()
