"""A table as text, dicts and JSON."""

import json

from .errors import unsupported
from .series import is_na


def _cell(value, missing=""):
    return missing if is_na(value) else str(value)


class FrameText:
    def to_dict(self, orient="dict", **_options):
        if orient == "records":
            return self.records()
        if orient == "list":
            return {c: list(v) for c, v in self._cols.items()}
        if orient == "dict":
            return {c: dict(zip(self._index, v)) for c, v in self._cols.items()}
        if orient == "index":
            return dict(zip(self._index, self.records()))
        if orient == "series":
            return {c: self[c] for c in self._cols}
        if orient == "split":
            return {"index": list(self._index), "columns": list(self._cols), "data": self.rows()}
        raise unsupported(f"to_dict(orient={orient!r})")

    def to_json(self, path_or_buf=None, orient="columns", indent=None, lines=False, force_ascii=True, **_options):
        if lines:
            return "\n".join(json.dumps(_say(r), ensure_ascii=force_ascii, default=str) for r in self.records())
        made = self.to_dict("dict" if orient == "columns" else "list" if orient == "values" else orient)
        if orient == "values":
            made = self.rows()
        return json.dumps(_say(made), indent=indent, ensure_ascii=force_ascii, default=str)

    def to_csv(self, path_or_buf=None, sep=",", index=True, header=True, na_rep="", columns=None, **options):
        if isinstance(path_or_buf, str):
            raise PermissionError("A component cannot write files: call to_csv() without a path and return the text.")
        import csv
        import io

        out = path_or_buf if path_or_buf is not None else io.StringIO()
        names = list(columns) if columns is not None else list(self._cols)
        writer = csv.writer(out, delimiter=sep, lineterminator="\n", quoting=options.get("quoting") or csv.QUOTE_MINIMAL)
        if header:
            writer.writerow([*([""] if index else []), *names])
        lists = [self._cols[c] for c in names]
        for place, label in enumerate(self._index):
            row = [_cell(v[place], na_rep) for v in lists]
            writer.writerow([label, *row] if index else row)
        return out.getvalue() if path_or_buf is None else None

    def _grid(self, index, missing):
        head = [*([""] if index else []), *(str(c) for c in self._cols)]
        body = [
            [*([str(label)] if index else []), *(_cell(v, missing) for v in row)]
            for label, row in zip(self._index, self.rows())
        ]
        return head, body

    def to_markdown(self, buf=None, mode="w", index=True, **_options):
        head, body = self._grid(index, "nan")
        clean = [[c.replace("|", "\\|").replace("\n", " ") for c in row] for row in [head, *body]]
        widths = [max(3, *(len(row[i]) for row in clean)) for i in range(len(head))]
        lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, widths)) + " |" for row in clean]
        lines.insert(1, "|" + "|".join(":" + "-" * (w + 1) for w in widths) + "|")
        return "\n".join(lines)

    def to_string(self, buf=None, index=True, max_rows=None, **_options):
        if not self._cols:
            return "Empty DataFrame\nColumns: []\nIndex: []"
        head, body = self._grid(index, "NaN")
        if max_rows is not None and len(body) > max_rows:
            half = max_rows // 2
            body = [*body[:half], ["…"] * len(head), *body[len(body) - half :]]
        widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
        lines = []
        for row in [head, *body]:
            cells = [c.rjust(w) if i or not index else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths))]
            lines.append("  ".join(cells))
        return "\n".join(lines)

    def to_html(self, buf=None, index=True, **_options):
        from html import escape

        head, body = self._grid(index, "NaN")
        row = lambda cells, tag: "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"  # noqa: E731
        inside = "".join(row(r, "td") for r in body)
        return f'<table border="1" class="dataframe"><thead>{row(head, "th")}</thead><tbody>{inside}</tbody></table>'

    def to_numpy(self):
        return self.rows()

    def to_records(self, index=True):
        return [(label, *row) if index else tuple(row) for label, row in zip(self._index, self.rows())]

    def info(self, **_options):
        print(f"DataFrame: {len(self)} rows, {len(self._cols)} columns")
        for name, kind in self.dtypes.items():
            print(f"  {name}: {kind}, {self[name].count()} values")

    def __str__(self):
        return self.to_string(max_rows=60)

    __repr__ = __str__


def _say(value):
    """Missing values as null, keys as texts."""
    if isinstance(value, dict):
        return {str(k): _say(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_say(v) for v in value]
    return None if isinstance(value, float) and value != value else value
