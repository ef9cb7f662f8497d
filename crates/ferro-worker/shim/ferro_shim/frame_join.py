"""Putting tables together."""

from .errors import unsupported
from .series import Series, order_key


def concat(objs, axis=0, ignore_index=False, join="outer", **_options):
    from .frame import DataFrame

    parts = [o for o in (objs.values() if isinstance(objs, dict) else objs) if o is not None]
    if not parts:
        raise ValueError("No objects to concatenate")
    if axis in (1, "columns"):
        cols = {}
        for part in parts:
            part = part.to_frame() if isinstance(part, Series) else part
            cols.update({c: list(v) for c, v in part._cols.items()})
        length = max(len(v) for v in cols.values())
        return DataFrame({c: v + [None] * (length - len(v)) for c, v in cols.items()})
    if all(isinstance(p, Series) for p in parts):
        values = [v for p in parts for v in p]
        return Series(values, None if ignore_index else [i for p in parts for i in p._index], parts[0].name)
    parts = [p.to_frame().T if isinstance(p, Series) else p for p in parts]
    names = list(dict.fromkeys(c for p in parts for c in p._cols))
    if join == "inner":
        names = [n for n in names if all(n in p._cols for p in parts)]
    cols = {n: [v for p in parts for v in p._cols.get(n, [None] * len(p))] for n in names}
    labels = None if ignore_index else [i for p in parts for i in p._index]
    return parts[0]._make(cols, labels)


def merge(left, right, how="inner", on=None, left_on=None, right_on=None, suffixes=("_x", "_y"), **_options):
    if isinstance(right, Series):
        right = right.to_frame()
    if how == "cross":
        return _cross(left, right, suffixes)
    if how not in ("inner", "left", "right", "outer"):
        raise unsupported(f"merge(how={how!r})")
    if on is None and left_on is None:
        on = [c for c in left._cols if c in right._cols]
        if not on:
            raise ValueError("The tables share no column to merge on; name them with `on`.")
    lefts = _list(on if on is not None else left_on)
    rights = _list(on if on is not None else right_on)
    left._need(lefts)
    right._need(rights)
    if how == "right":
        made = merge(right, left, "left", None, rights, lefts, (suffixes[1], suffixes[0]))
        order = [*left._cols, *(c for c in made._cols if c not in left._cols)]
        return made[[c for c in order if c in made._cols]]
    pairs = _pairs(left, right, lefts, rights, how)
    shared = [c for c in rights if c in lefts and lefts[rights.index(c)] == c]
    cols = {}
    for name, column in left._cols.items():
        out = name + suffixes[0] if name in right._cols and name not in shared else name
        values = [column[a] if a is not None else None for a, _ in pairs]
        if name in shared:
            other = right._cols[name]
            values = [column[a] if a is not None else other[b] for a, b in pairs]
        cols[out] = values
    for name, column in right._cols.items():
        if name in shared:
            continue
        out = name + suffixes[1] if name in left._cols else name
        cols[out] = [column[b] if b is not None else None for _, b in pairs]
    return left._make(cols)


def _list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _pairs(left, right, lefts, rights, how):
    table = {}
    for place in range(len(right)):
        table.setdefault(tuple(right._cols[c][place] for c in rights), []).append(place)
    pairs, used = [], set()
    for place in range(len(left)):
        matches = table.get(tuple(left._cols[c][place] for c in lefts), [])
        used.update(matches)
        pairs += [(place, m) for m in matches]
        if not matches and how in ("left", "outer"):
            pairs.append((place, None))
    if how == "outer":
        pairs += [(None, p) for p in range(len(right)) if p not in used]
    return pairs


def _cross(left, right, suffixes):
    pairs = [(a, b) for a in range(len(left)) for b in range(len(right))]
    cols = {}
    for name, column in left._cols.items():
        cols[name + suffixes[0] if name in right._cols else name] = [column[a] for a, _ in pairs]
    for name, column in right._cols.items():
        cols[name + suffixes[1] if name in left._cols else name] = [column[b] for _, b in pairs]
    return left._make(cols)


def pivot(frame, values, index, columns, how, fill):
    if isinstance(index, (list, tuple)) or isinstance(columns, (list, tuple)) or isinstance(values, (list, tuple)):
        raise unsupported("pivot_table with several index, column or value names")
    cells = {}
    for row in frame.records():
        cells.setdefault((row[index], row[columns] if columns else values), []).append(row[values])
    rows = sorted({k for k, _ in cells}, key=order_key)
    names = sorted({k for _, k in cells}, key=order_key)
    made = {n: [Series(cells[r, n]).agg(how) if (r, n) in cells else fill for r in rows] for n in names}
    out = frame._make(made, rows)
    out.__dict__["_index_name"] = index
    return out
