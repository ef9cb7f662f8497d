"""Which DataFrame a component meets: pandas' own where its code imports the real pandas, else ours."""

import sys

_real = None


def prepare_for(code):
    """Says, before a component's code runs, whether it brings the real pandas."""
    if "pandas" not in code:
        return False
    try:
        __import__("pandas")
    except ImportError:
        return False
    # The stand-in has no inside.
    return "pandas.core" in sys.modules


def real_class():
    global _real
    if _real is None:
        _real = _make()
    return _real


def as_real(value):
    """Our tables in a value as pandas tables."""
    if getattr(value, "_is_frame", False) is True:
        made = real_class()(value._cols, index=value._index)
        made.text_key = value.text_key
        return made
    if isinstance(value, list):
        return [as_real(v) for v in value]
    return value


def _make():
    import pandas

    from .data import Data

    class DataFrame(pandas.DataFrame):
        _metadata = ["text_key", "default_value"]
        text_key = "text"
        default_value = ""

        def __init__(self, data=None, *args, text_key="text", default_value="", **options):
            if isinstance(data, Data):
                data = [data.data]
            elif getattr(data, "_is_frame", False) is True:
                data = data._cols
            elif isinstance(data, list):
                data = [d.data if isinstance(d, Data) else d for d in data]
            super().__init__(data, *args, **options)
            self.text_key = text_key
            self.default_value = default_value

        @property
        def _constructor(self):
            return DataFrame

        def to_data_list(self):
            return [Data(data=row, text_key=self.text_key) for row in self.to_dict(orient="records")]

        def to_data(self):
            return Data(data={"results": self.to_dict(orient="records")})

        def to_message(self):
            from .frame import DataFrame as Ours

            return Ours(self).to_message()

        def add_row(self, row):
            return self.add_rows([row])

        def add_rows(self, rows):
            new = pandas.DataFrame([r.data if isinstance(r, Data) else r for r in rows])
            return DataFrame(pandas.concat([self, new], ignore_index=True))

        def to_lc_documents(self):
            return [item.to_lc_document() for item in self.to_data_list()]

        def __bool__(self):
            return not self.empty

    DataFrame.__module__ = "pandas"
    DataFrame.__qualname__ = "DataFrame"
    return DataFrame
