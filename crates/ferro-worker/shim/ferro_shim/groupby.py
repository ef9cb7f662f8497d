"""Groups of rows, and what is computed of each."""

from .errors import unsupported
from .series import Series, is_na, is_number, order_key


class GroupBy:
    def __init__(self, frame, by, as_index, sort, dropna, listed):
        frame._need([b for b in by if not callable(b)])
        self._frame = frame
        self._by = by
        self._as_index = as_index
        self._listed = listed
        groups = {}
        columns = [frame._cols[b] for b in by]
        for place in range(len(frame)):
            key = tuple(c[place] for c in columns)
            if dropna and any(is_na(k) for k in key):
                continue
            groups.setdefault(key, []).append(place)
        keys = sorted(groups, key=lambda k: [order_key(v) for v in k]) if sort else list(groups)
        self._groups = {k: groups[k] for k in keys}

    def _label(self, key):
        return key if len(self._by) > 1 else key[0]

    @property
    def groups(self):
        return {self._label(k): [self._frame._index[p] for p in v] for k, v in self._groups.items()}

    @property
    def ngroups(self):
        return len(self._groups)

    def __len__(self):
        return len(self._groups)

    def __iter__(self):
        for key, places in self._groups.items():
            yield key if self._listed or len(key) > 1 else key[0], self._frame._pick(places)

    def get_group(self, key):
        key = key if isinstance(key, tuple) else (key,)
        return self._frame._pick(self._groups[key])

    def __getitem__(self, names):
        self._frame._need(names if isinstance(names, list) else [names])
        return Picked(self, names if isinstance(names, list) else [names], isinstance(names, list))

    def _rest(self):
        return [c for c in self._frame._cols if c not in self._by]

    def _numeric(self):
        return [c for c in self._rest() if all(is_na(v) or is_number(v) or isinstance(v, bool) for v in self._frame._cols[c])]

    def _values(self, name, places):
        column = self._frame._cols[name]
        return Series([column[p] for p in places], [self._frame._index[p] for p in places], name)

    def _table(self, cols):
        keys = list(self._groups)
        heads = {b: [k[i] for k in keys] for i, b in enumerate(self._by)}
        if not self._as_index:
            return self._frame._make({**heads, **cols})
        made = self._frame._make(cols, [self._label(k) for k in keys])
        made.__dict__["_index_name"] = self._head()
        return made

    def _head(self):
        return self._by[0] if len(self._by) == 1 else list(self._by)

    def _series(self, values, name=None):
        made = Series(values, [self._label(k) for k in self._groups], name)
        made._index_name = self._head()
        return made

    def agg(self, how=None, **named):
        if named:
            return self._table({out: self._each(name, h) for out, (name, h) in named.items()})
        if isinstance(how, dict):
            cols = {}
            for name, ways in how.items():
                for way in ways if isinstance(ways, (list, tuple)) else [ways]:
                    label = (name, way if isinstance(way, str) else way.__name__) if isinstance(ways, (list, tuple)) else name
                    cols[label] = self._each(name, way)
            return self._table(cols)
        return self._table({name: self._each(name, how) for name in self._rest()})

    aggregate = agg

    def _each(self, name, how):
        return [self._values(name, places).agg(how) for places in self._groups.values()]

    def size(self):
        counts = [len(p) for p in self._groups.values()]
        if not self._as_index:
            return self._table({"size": counts})
        return self._series(counts)

    def count(self):
        return self._table({c: self._each(c, "count") for c in self._rest()})

    def first(self):
        return self._table({c: self._each(c, "first") for c in self._rest()})

    def last(self):
        return self._table({c: self._each(c, "last") for c in self._rest()})

    def nunique(self):
        return self._table({c: self._each(c, "nunique") for c in self._rest()})

    def head(self, n=5):
        return self._frame._pick(sorted(p for v in self._groups.values() for p in v[:n]))

    def apply(self, function, *args, include_groups=True, **kwargs):
        made = [function(self._frame._pick(p), *args, **kwargs) for p in self._groups.values()]
        if made and all(getattr(m, "_is_frame", False) for m in made):
            from .frame_join import concat

            return concat(made)
        if made and all(isinstance(m, Series) for m in made):
            names = list(made[0]._index)
            return self._table({n: [m.get(n) for m in made] for n in names})
        return self._series(made)

    def __getattr__(self, name):
        if name in ("sum", "mean", "median", "min", "max", "std", "var"):
            names = self._numeric() if name not in ("min", "max") else self._rest()
            return lambda **_options: self._table({c: self._each(c, name) for c in names})
        if name[:1] != "_" and name in self._frame._cols:
            return self[name]
        if name[:1] == "_":
            raise AttributeError(name)
        raise unsupported(f"groupby().{name}")


class Picked:
    """Some columns of the groups."""

    def __init__(self, grouped, names, listed):
        self._grouped = grouped
        self._names = names
        self._listed = listed

    def _result(self, how):
        grouped = self._grouped
        cols = {n: grouped._each(n, how) for n in self._names}
        if self._listed or not grouped._as_index:
            return grouped._table(cols)
        name = self._names[0]
        return grouped._series(cols[name], name)

    def agg(self, how=None, **named):
        if named:
            return self._grouped._table({out: self._grouped._each(self._names[0], h) for out, h in named.items()})
        if isinstance(how, (list, tuple)):
            name = self._names[0]
            return self._grouped._table({h if isinstance(h, str) else h.__name__: self._grouped._each(name, h) for h in how})
        return self._result(how)

    aggregate = agg

    def apply(self, function, *args, **kwargs):
        return self._result(lambda s: function(s, *args, **kwargs))

    def transform(self, how):
        grouped = self._grouped
        out = [None] * len(grouped._frame)
        for places in grouped._groups.values():
            made = grouped._values(self._names[0], places).agg(how)
            spread = list(made) if isinstance(made, Series) else [made] * len(places)
            for place, value in zip(places, spread):
                out[place] = value
        return Series(out, grouped._frame._index, self._names[0])

    def size(self):
        return self._grouped.size()

    def __iter__(self):
        for key, frame in self._grouped:
            yield key, frame[self._names] if self._listed else frame[self._names[0]]

    def __getattr__(self, name):
        if name in ("sum", "mean", "median", "min", "max", "std", "var", "count", "first", "last", "nunique", "unique", "value_counts"):
            return lambda **_options: self._result(name)
        if name[:1] == "_":
            raise AttributeError(name)
        raise unsupported(f"groupby()[…].{name}")
