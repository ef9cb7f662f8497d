"""The inside of `csv` in Python: multi-line fields, escapes, and quoting as asked for."""

__version__ = "1.0"
QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE, QUOTE_STRINGS, QUOTE_NOTNULL = range(6)

_dialects = {}
_limit = 131072


class Error(Exception):
    __module__ = "_csv"


class Dialect:
    """How a table is written. Built from another dialect and keywords that win over it."""

    def __init__(self, dialect=None, **given):
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        for name, default in (
            ("delimiter", ","), ("quotechar", '"'), ("escapechar", None), ("doublequote", True), ("skipinitialspace", False),
            ("lineterminator", "\r\n"), ("quoting", QUOTE_MINIMAL), ("strict", False),
        ):
            value = given.pop(name) if name in given else getattr(dialect, name, default)
            setattr(self, name, value)
        if given:
            raise TypeError(f"{next(iter(given))!r} is an invalid keyword argument for this function")
        if self.quotechar is None and "quoting" not in given and self.quoting == QUOTE_MINIMAL:
            self.quoting = QUOTE_NONE
        self._check()
        self.doublequote, self.skipinitialspace, self.strict = bool(self.doublequote), bool(self.skipinitialspace), bool(self.strict)

    def _check(self):
        for name, optional in (("delimiter", False), ("quotechar", True), ("escapechar", True)):
            value = getattr(self, name)
            if value is None and optional:
                continue
            if not isinstance(value, str):
                raise TypeError(f'"{name}" must be string, not {type(value).__name__}' if not optional else f'"{name}" must be string or None, not {type(value).__name__}')
            if len(value) != 1:
                raise TypeError(f'"{name}" must be a 1-character string')
        if not isinstance(self.quoting, int) or not 0 <= self.quoting <= QUOTE_NOTNULL:
            raise TypeError('bad "quoting" value')
        if self.quoting != QUOTE_NONE and self.quotechar is None:
            raise TypeError("quotechar must be set if quoting enabled")
        if not isinstance(self.lineterminator, str):
            raise TypeError('"lineterminator" must be a string')


def register_dialect(name, dialect=None, **given):
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    _dialects[name] = Dialect(dialect, **given)


def unregister_dialect(name):
    if _dialects.pop(name, None) is None:
        raise Error("unknown dialect")


def get_dialect(name):
    try:
        return _dialects[name]
    except (KeyError, TypeError):
        raise Error("unknown dialect") from None


def list_dialects():
    return list(_dialects)


def field_size_limit(limit=None):
    global _limit
    old = _limit
    if limit is not None:
        if not isinstance(limit, int):
            raise TypeError("limit must be an integer")
        _limit = limit
    return old


class reader:  # noqa: N801 - the name of the function it stands for
    def __init__(self, lines, dialect="excel", **given):
        self._lines = iter(lines)
        self.dialect = Dialect(dialect if dialect != "excel" or "excel" in _dialects else None, **given)
        self.line_num = 0

    def __iter__(self):
        return self

    def _next_line(self):
        line = next(self._lines)
        if not isinstance(line, str):
            raise Error(f"iterator should return strings, not {type(line).__name__} (the file should be opened in text mode)")
        self.line_num += 1
        return line

    def __next__(self):
        d = self.dialect
        line = self._next_line()
        quoted = d.quotechar is not None and d.quoting != QUOTE_NONE and d.quotechar in line
        if not quoted and (d.escapechar is None or d.escapechar not in line) and d.quoting != QUOTE_NONNUMERIC:
            text = line.rstrip("\r\n")
            if "\r" not in text and "\n" not in text and len(text) < _limit:
                if not text:
                    return []
                fields = text.split(d.delimiter)
                return [f.lstrip(" ") for f in fields] if d.skipinitialspace else fields
        return self._record(line)

    def _record(self, line):
        """A record that may have quotes or escapes, character by character."""
        d = self.dialect
        quote = d.quotechar if d.quoting != QUOTE_NONE else None
        fields, part, state, was_quoted = [], [], "start", False

        def close():
            if sum(map(len, part)) > _limit:
                raise Error(f"field larger than field limit ({_limit})")
            text = "".join(part)
            part.clear()
            fields.append(float(text) if text and d.quoting == QUOTE_NONNUMERIC and not was_quoted else text)

        while True:
            ended = False
            for c in line:
                if ended:
                    if c in "\r\n":
                        continue
                    raise Error("new-line character seen in unquoted field - do you need to open the file with newline=''?")
                if state == "escape" or state == "quoted escape":
                    part.append(c)
                    state = "plain" if state == "escape" else "quoted"
                elif state == "quoted":
                    if c == d.escapechar:
                        state = "quoted escape"
                    elif c == quote:
                        state = "quote in quoted" if d.doublequote else "after"
                    else:
                        part.append(c)
                elif state == "quote in quoted" and c == quote:
                    part.append(c)
                    state = "quoted"
                elif c in "\r\n":
                    ended = True
                elif c == d.delimiter:
                    close()
                    state, was_quoted = "field", False
                elif c == d.escapechar:
                    state = "escape"
                elif state in ("start", "field") and c == quote:
                    state, was_quoted = "quoted", True
                elif state in ("start", "field") and c == " " and d.skipinitialspace:
                    state = "field"
                elif state in ("quote in quoted", "after") and d.strict:
                    raise Error(f"'{d.delimiter}' expected after '{quote}'")
                else:
                    part.append(c)
                    state = "plain"
            if state in ("quoted", "quoted escape", "escape"):
                try:
                    line = self._next_line()
                    continue
                except StopIteration:
                    if d.strict:
                        raise Error("unexpected end of data") from None
            if state == "start" and not fields and not part:
                return []
            close()
            return fields


class writer:  # noqa: N801 - the name of the function it stands for
    def __init__(self, file, dialect="excel", **given):
        self._write = file.write
        self.dialect = Dialect(dialect if dialect != "excel" or "excel" in _dialects else None, **given)

    def _field(self, value, alone):
        d = self.dialect
        text = "" if value is None else value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value)
        always = (
            d.quoting == QUOTE_ALL
            or (d.quoting == QUOTE_NONNUMERIC and not isinstance(value, (int, float)))
            or (d.quoting == QUOTE_STRINGS and isinstance(value, str))
            or (d.quoting == QUOTE_NOTNULL and value is not None)
        )
        special = [d.delimiter, "\r", "\n", *d.lineterminator]
        if d.doublequote and d.quotechar:
            special.append(d.quotechar)
        if d.quoting == QUOTE_NONE:
            if alone and not text:
                raise Error("single empty field record must be quoted")
            return self._escaped(text, [*special, *(c for c in (d.quotechar, d.escapechar) if c)])
        if always or any(c in text for c in special) or (alone and not text):
            return d.quotechar + self._inside(text) + d.quotechar
        return self._inside(text)

    def _inside(self, text):
        d = self.dialect
        if d.escapechar:
            text = text.replace(d.escapechar, d.escapechar * 2)
        if d.quotechar in text:
            if d.doublequote:
                return text.replace(d.quotechar, d.quotechar * 2)
            if not d.escapechar:
                raise Error("need to escape, but no escapechar set")
            return text.replace(d.quotechar, d.escapechar + d.quotechar)
        return text

    def _escaped(self, text, special):
        d = self.dialect
        if not any(c in text for c in special):
            return text
        if not d.escapechar:
            raise Error("need to escape, but no escapechar set")
        return "".join(d.escapechar + c if c in special else c for c in text)

    def writerow(self, row):
        try:
            values = list(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        alone = len(values) == 1
        d = self.dialect
        return self._write(d.delimiter.join(self._field(v, alone) for v in values) + d.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)
