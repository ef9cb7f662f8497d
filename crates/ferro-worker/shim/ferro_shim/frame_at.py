"""iloc, loc and row tuples of a DataFrame."""

from .series import Index, Series


class Row(tuple):
    """A row whose values have names."""

    def __new__(cls, names, values):
        made = tuple.__new__(cls, values)
        made._names = tuple(names)
        return made

    @property
    def _fields(self):
        return self._names

    def __getattr__(self, name):
        names = self.__dict__.get("_names", ())
        if name in names:
            return self[names.index(name)]
        raise AttributeError(name)

    def _asdict(self):
        return dict(zip(self._names, self))


def _mask(key):
    key = list(key)
    return key if key and all(isinstance(k, bool) for k in key) else None


class _At:
    def __init__(self, frame):
        self._frame = frame

    def __getitem__(self, key):
        frame = self._frame
        rows, cols = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
        names, one_column = self._columns(cols)
        places, one_row = self._places(rows)
        if one_row and one_column:
            return frame._cols[names[0]][places[0]]
        if one_row:
            at = places[0]
            return Series([frame._cols[c][at] for c in names], names, frame._index[at])
        labels = [frame._index[p] for p in places]
        if one_column:
            column = frame._cols[names[0]]
            return Series([column[p] for p in places], labels, names[0])
        return frame._make({c: [frame._cols[c][p] for p in places] for c in names}, labels)

    def __setitem__(self, key, value):
        frame = self._frame
        rows, cols = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
        if self._is_new_row(rows):
            self._append(rows, value)
            return
        places, _ = self._places(rows)
        if cols is not None and not isinstance(cols, (list, slice, int)) and cols not in frame._cols:
            frame._cols[cols] = [None] * len(frame)
        names, one_column = self._columns(cols)
        if isinstance(value, dict):
            for name, item in value.items():
                for place in places:
                    frame._cols[name][place] = item
            return
        listed = isinstance(value, (list, tuple, Series))
        for number, name in enumerate(names):
            for count, place in enumerate(places):
                item = value
                if listed:
                    spread = list(value)
                    item = spread[count] if one_column else spread[number]
                frame._cols[name][place] = item

    def _is_new_row(self, rows):
        return False


class ByPosition(_At):
    def _columns(self, cols):
        names = list(self._frame._cols)
        if cols is None:
            return names, False
        if isinstance(cols, int):
            return [names[cols]], True
        if isinstance(cols, slice):
            return names[cols], False
        return [names[c] for c in cols], False

    def _places(self, rows):
        count = len(self._frame)
        if isinstance(rows, int) and not isinstance(rows, bool):
            if not -count <= rows < count:
                raise IndexError(f"row {rows} is out of bounds: the table has {count} rows")
            return [rows % count], True
        if isinstance(rows, slice):
            return list(range(*rows.indices(count))), False
        mask = _mask(rows)
        if mask is not None:
            return [p for p, keep in enumerate(mask) if keep], False
        return [r % count for r in rows], False


class ByLabel(_At):
    def _columns(self, cols):
        frame = self._frame
        names = list(frame._cols)
        if cols is None:
            return names, False
        if isinstance(cols, slice):
            start = names.index(cols.start) if cols.start is not None else 0
            stop = names.index(cols.stop) + 1 if cols.stop is not None else len(names)
            return names[start:stop], False
        if isinstance(cols, (list, Index)):
            mask = _mask(cols)
            if mask is not None:
                return [n for n, keep in zip(names, mask) if keep], False
            frame._need(cols)
            return list(cols), False
        frame._need([cols])
        return [cols], True

    def _places(self, rows):
        labels = self._frame._index
        if isinstance(rows, slice):
            start = labels.index(rows.start) if rows.start is not None else 0
            stop = labels.index(rows.stop) + 1 if rows.stop is not None else len(labels)
            return list(range(start, stop)), False
        if isinstance(rows, (list, Series, Index)):
            mask = _mask(rows)
            if mask is not None:
                return [p for p, keep in enumerate(mask) if keep], False
            return [self._one(r) for r in rows], False
        return [self._one(rows)], True

    def _one(self, label):
        try:
            return self._frame._index.index(label)
        except ValueError:
            raise KeyError(label) from None

    def _is_new_row(self, rows):
        return isinstance(rows, (int, str)) and not isinstance(rows, bool) and rows not in self._frame._index

    def _append(self, label, value):
        frame = self._frame
        names = list(frame._cols)
        if isinstance(value, Series):
            value = value.to_dict()
        if not isinstance(value, dict):
            value = dict(zip(names, value if isinstance(value, (list, tuple)) else [value] * len(names)))
        frame._index.append(label)
        for name in names:
            frame._cols[name].append(value.get(name))
