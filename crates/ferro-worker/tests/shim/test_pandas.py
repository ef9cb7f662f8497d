import sys
import unittest

import fake_host
from fake_host import body, run, value

try:
    __import__("pandas")
except ImportError:
    pass
REAL = "pandas.core" in sys.modules


@unittest.skipUnless(REAL, "needs the real pandas")
class RealPandas(unittest.TestCase):
    def test_inputs_and_the_class_are_pandas_own(self):
        code = "import pandas as pd\nfrom lfx.schema import DataFrame\n" + body(
            "df = self.t\nok = isinstance(df, pd.DataFrame) and isinstance(df, DataFrame)\n"
            "out = DataFrame(df.rolling(2).sum().dropna())\nreturn [ok, out, df.to_data_list()[0].a, df.add_row({'a': 9})]",
            "DataFrameInput(name='t')",
        )
        wire = {"$type": "DataFrame", "columns": ["a"], "rows": [[1], [2], [4]]}
        made = run(code, {"t": wire})["outputs"]["out"]
        self.assertEqual((made[0], made[1]["rows"], made[2], made[3]["rows"]), (True, [[3.0], [6.0]], 1, [[1], [2], [4], [9]]))

    def test_a_pandas_result(self):
        made = value("return pd.DataFrame({'a': [1, None], 'd': pd.to_datetime(['2024-01-01', None])})", head="import pandas as pd")
        self.assertEqual((made["$type"], made["columns"], made["rows"]), ("DataFrame", ["a", "d"], [[1.0, "2024-01-01T00:00:00"], [None, None]]))
        self.assertEqual(value("return [pd.Series([1, 2]), pd.NA, pd.Timestamp('2024-01-01')]", head="import pandas as pd"), [[1, 2], None, "2024-01-01T00:00:00"])

    def test_other_code_keeps_ours(self):
        value("return 1", head="import pandas as pd")
        self.assertEqual(value("return DataFrame.__module__"), "ferro_shim.frame")

    def test_types(self):
        told = fake_host.handle(do="describe", code=fake_host.source("import pandas as pd\n" + body("return 1", kind="DataFrame")))
        self.assertEqual(told["result"]["outputs"][0]["types"], ["Table"])


@unittest.skipIf(REAL, "needs an interpreter without pandas")
class StandIn(unittest.TestCase):
    def test_the_usual_calls(self):
        head = "import pandas as pd\nimport io"
        self.assertEqual(
            value("df = pd.read_csv(io.StringIO('a,b\\n1,x\\n2,\\n'))\nreturn [df.to_dict('records'), pd.isna(df['b']).tolist(), int(pd.to_numeric(pd.Series(['1', '2'])).sum())]", head=head),
            [[{"a": 1, "b": "x"}, {"a": 2, "b": None}], [False, True], 3],
        )
        self.assertEqual(value("return pd.to_datetime(pd.Series(['2024-05-01'])).dt.year.tolist()", head=head), [2024])
        self.assertEqual(value("return pd.json_normalize([{'a': {'b': 1}}]).columns.tolist()", head=head), ["a.b"])

    def test_what_is_not_there(self):
        error = fake_host.fails("import pandas as pd\n" + body("return pd.cut([1], 2)"))
        self.assertIn("`cut`", error["message"])
        self.assertIn("--python", error["message"])
