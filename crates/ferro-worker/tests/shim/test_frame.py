import unittest

import fake_host
from fake_host import value

ROWS = "df = DataFrame([{'n': 'a', 'g': 'x', 'v': 3}, {'n': 'b', 'g': 'y', 'v': 1}, {'n': 'c', 'g': 'x', 'v': None}])\n"


class Frame(unittest.TestCase):
    def check(self, text, wanted):
        self.assertEqual(value(ROWS + "return " + text), wanted, text)

    def test_making(self):
        for text, columns, rows in (
            ("DataFrame([{'a': 1}, {'b': 2}])", ["a", "b"], [[1, None], [None, 2]]),
            ("DataFrame({'a': [1, 2], 'b': 'x'})", ["a", "b"], [[1, "x"], [2, "x"]]),
            ("DataFrame([Data(a=1), Data(a=2)])", ["a"], [[1], [2]]),
            ("DataFrame([[1, 2], [3, 4]], columns=['a', 'b'])", ["a", "b"], [[1, 2], [3, 4]]),
            ("DataFrame(DataFrame({'a': [1]}))", ["a"], [[1]]),
            ("DataFrame(data=[{'a': 1}]).add_row({'a': 2}).add_rows([Data(a=3)])", ["a"], [[1], [2], [3]]),
            ("DataFrame()", [], []),
            ("DataFrame(columns=['a'])", ["a"], []),
            ("DataFrame({'a': {'x': 1, 'y': 2}})", ["a"], [[1], [2]]),
        ):
            made = value("return " + text)
            self.assertEqual((made["columns"], made["rows"]), (columns, rows), text)

    def test_looking(self):
        self.check("[len(df), df.shape, df.empty, list(df.columns), 'v' in df, df['v'].tolist(), list(df)]",
                   [3, [3, 3], False, ["n", "g", "v"], True, [3, 1, None], ["n", "g", "v"]])
        self.check("df.to_dict(orient='records')[1]", {"n": "b", "g": "y", "v": 1})
        self.check("df.to_dict('list')['n']", ["a", "b", "c"])
        self.check("[d.n for d in df.to_data_list()]", ["a", "b", "c"])
        self.check("[(i, r['n']) for i, r in df.iterrows()]", [[0, "a"], [1, "b"], [2, "c"]])
        self.check("[(t.Index, t.n, t[2]) for t in df.itertuples()]", [[0, "a", "x"], [1, "b", "y"], [2, "c", "x"]])
        self.check("[df.iloc[0]['n'], df.iloc[-1].n, df.loc[1, 'g'], df.iloc[0:2].shape, df.loc[df['g'] == 'x', 'n'].tolist(), df.iloc[0, 2], df.at[1, 'n']]",
                   ["a", "c", "y", [2, 3], ["a", "c"], 3, "b"])
        self.check("[df.n.tolist(), df.dtypes['v'], df['n'].dtype == 'object']", [["a", "b", "c"], "float64", True])
        self.check("df.head(1).to_dict('records') + df.tail(1).to_dict('records')", [{"n": "a", "g": "x", "v": 3}, {"n": "c", "g": "x", "v": None}])

    def test_changing(self):
        self.assertEqual(value(ROWS + "df['w'] = df['v'] * 2 + 1\ndf['k'] = 'c'\ndf.loc[df['n'] == 'b', 'k'] = 'z'\ndf.loc[len(df)] = {'n': 'd', 'w': 0}\nreturn [df['w'].tolist(), df['k'].tolist(), len(df)]"),
                         [[7, 3, None, 0], ["c", "z", "c", None], 4])
        self.check("df[(df['v'] > 0) & (df['g'] == 'x')]['n'].tolist()", ["a"])
        self.check("df[~df['g'].isin(['x'])]['n'].tolist()", ["b"])
        self.check("df[['n', 'v']].columns.tolist()", ["n", "v"])
        self.check("df.sort_values('v')['n'].tolist() + df.sort_values(['g', 'v'], ascending=[False, True]).index.tolist()", ["b", "a", "c", 1, 0, 2])
        self.check("[df.rename(columns={'n': 'name'}).columns.tolist(), df.drop(columns=['g']).columns.tolist(), df.drop(0).index.tolist()]",
                   [["name", "g", "v"], ["n", "v"], [1, 2]])
        self.check("[len(df.dropna()), df.fillna(0)['v'].tolist(), df.fillna({'v': 9})['v'].tolist(), df['v'].isna().sum()]", [2, [3, 1, 0], [3, 1, 9], 1])
        self.check("DataFrame([{'a': 1}, {'a': 1}, {'a': 2}]).drop_duplicates()['a'].tolist()", [1, 2])
        self.check("df.reset_index(drop=True).astype({'n': str})['n'].tolist()", ["a", "b", "c"])
        self.check("df.apply(lambda r: r['n'] + r['g'], axis=1).tolist()", ["ax", "by", "cx"])
        self.check("df.assign(z=lambda d: d['v'].fillna(0))['z'].tolist()", [3, 1, 0])
        self.assertEqual(value(ROWS + "df.drop(columns='g', inplace=True)\ndf.columns = ['A', 'B']\ndel df['B']\nreturn list(df.columns)"), ["A"])

    def test_groups(self):
        self.check("df.groupby('g')['v'].sum().to_dict()", {"x": 3, "y": 1})
        self.check("df.groupby('g')['v'].sum().reset_index().to_dict('records')", [{"g": "x", "v": 3}, {"g": "y", "v": 1}])
        self.check("df.groupby('g', as_index=False).agg({'v': 'max', 'n': 'first'}).to_dict('records')", [{"g": "x", "v": 3, "n": "a"}, {"g": "y", "v": 1, "n": "b"}])
        self.check("df.groupby('g').agg(total=('v', 'sum'), n=('n', 'count')).reset_index().to_dict('records')", [{"g": "x", "total": 3, "n": 2}, {"g": "y", "total": 1, "n": 1}])
        self.check("df.groupby(['g', 'n']).size().reset_index(name='c').to_dict('records')[0]", {"g": "x", "n": "a", "c": 1})
        self.check("df.groupby('g').size().sort_values(ascending=False).reset_index(name='k').to_dict('records')", [{"g": "x", "k": 2}, {"g": "y", "k": 1}])
        self.check("[(k, len(f)) for k, f in df.groupby('g')]", [["x", 2], ["y", 1]])
        self.check("df.groupby('g')[['v']].mean().reset_index().to_dict('records')", [{"g": "x", "v": 3.0}, {"g": "y", "v": 1.0}])
        self.check("df.groupby('g')['v'].transform('sum').tolist()", [3, 1, 3])
        self.check("df['g'].value_counts().to_dict()", {"x": 2, "y": 1})
        self.check("df['g'].value_counts().reset_index().columns.tolist()", ["g", "count"])

    def test_joins(self):
        other = "DataFrame([{'g': 'x', 'w': 1}, {'g': 'z', 'w': 2}])"
        self.check(f"df.merge({other}, on='g')['n'].tolist()", ["a", "c"])
        self.check(f"df.merge({other}, on='g', how='left')['w'].tolist()", [1, None, 1])
        self.check(f"df.merge({other}, how='outer')['g'].tolist()", ["x", "y", "x", "z"])
        self.check("df.merge(df, on='n').columns.tolist()", ["n", "g_x", "v_x", "g_y", "v_y"])
        self.assertEqual(value("return pd.concat([pd.DataFrame({'a': [1]}), pd.DataFrame({'a': [2]})], ignore_index=True).to_dict('list')",
                               head="from ferro_shim import pandas_api as pd"), {"a": [1, 2]})

    def test_numbers(self):
        self.check("[df['v'].sum(), df['v'].mean(), df['v'].min(), df['v'].max(), df['v'].count(), df['v'].median(), df['v'].nunique()]", [4, 2.0, 1, 3, 2, 2.0, 2])
        self.check("[(df['v'] - df['v'].mean()).tolist(), (10 / df['v']).round(2).tolist(), (df['v'] >= 1).tolist()]", [[1.0, -1.0, None], [3.33, 10.0, None], [True, True, False]])
        self.check("df.sum(numeric_only=True).to_dict()", {"v": 4})
        self.check("df['v'].describe()['count']", 2.0)
        self.check("[df['v'].std(), df['v'].idxmax(), df['v'].cumsum().tolist(), df['v'].shift().tolist()]", [2 ** 0.5, 0, [3, 4, None], [None, 3, 1]])

    def test_texts(self):
        self.check("df['n'].str.upper().tolist() + df['n'].str.contains('A', case=False).tolist() + df['n'].str.len().tolist()", ["A", "B", "C", True, False, False, 1, 1, 1])
        self.check("df['n'].map({'a': 1}).tolist() + df['n'].apply(lambda s: s * 2).tolist()", [1, None, None, "aa", "bb", "cc"])
        self.check("DataFrame({'t': ['a-b', 'c']})['t'].str.split('-', expand=True).to_dict('list')", {"0": ["a", "c"], "1": ["b", None]})

    def test_writing(self):
        self.check("df.to_csv(index=False)", "n,g,v\na,x,3\nb,y,1\nc,x,\n")
        self.check("df.head(1).to_csv()", ",n,g,v\n0,a,x,3\n")
        self.check("df.head(1).to_json(orient='records')", '[{"n": "a", "g": "x", "v": 3}]')
        self.check("df[['n']].head(1).to_markdown(index=False)", "| n   |\n|:----|\n| a   |")
        self.check("'a' in df.to_string() and 'NaN' in str(df)", True)
        self.check("df.to_html().count('<tr>')", 4)

    def test_missing_parts_say_so(self):
        for text in ("df.to_excel('x')", "df.rolling(3)", "df['v'].rolling(2)", "df.groupby('g').rolling(2)", "df.corr()"):
            error = fake_host.fails(fake_host.body(ROWS + "return " + text))
            self.assertEqual(error["type"], "Unsupported", text)
            self.assertIn("--python", error["message"])

    def test_keys_that_are_not_there(self):
        error = fake_host.fails(fake_host.body(ROWS + "return df['zz']"))
        self.assertEqual(error["type"], "KeyError")
        self.assertIn("the columns are: n, g, v", error["message"])


class Schema(unittest.TestCase):
    def test_data(self):
        self.assertEqual(value("d = Data(data={'a': 1}, text='t', b=2)\nd.c = 3\nd['e'] = 4\nreturn [d.a, d.text, d.get_text(), d.b, d.data['c'], 'e' in d, d.get('zz', 0), d['e']]"), [1, "t", "t", 2, 3, True, 0, 4])
        self.assertEqual(value("d = Data(data={'k': 'x'}, text_key='k', default_value='q')\nreturn [d.get_text(), Data().get_text(), d.set_text('y'), d.data]"), ["x", "", "y", {"k": "y"}])
        self.assertEqual(value("try:\n    Data(a=1).nope\nexcept AttributeError as e:\n    return str(e)"), "'Data' object has no attribute 'nope'")
        self.assertEqual(value("d = Data(a=[1], n=1) + Data(a=[2], n=2, z=1)\nreturn d.data"), {"a": [1, 2], "n": 3, "z": 1})
        self.assertEqual(value("return Data(user={'tags': ['x', 'y']}).filter_data('user.tags[1]')"), "y")
        self.assertEqual(value("import copy\na = Data(x=[1])\nb = copy.deepcopy(a)\nb.x.append(2)\nreturn [a.x, b.x, a == Data(x=[1])]"), [[1], [1, 2], True])
        self.assertEqual(value("doc = Data(text='t', src='s').to_lc_document()\nreturn [doc.page_content, doc.metadata, Data.from_document(doc).data]"), ["t", {"src": "s"}, {"src": "s", "text": "t"}])

    def test_message(self):
        self.assertEqual(value("m = Message(text='a', sender='User', sender_name='U', files=['f'], foo=1)\nreturn [m.text, m.get_text(), m.sender, m.files, m.foo, str(m), m.session_id, m.data['text'], isinstance(m, Data), m.properties]"),
                         ["a", "a", "User", ["f"], 1, "a", "", "a", True, {}])
        made = value("m = Message(text='a', foo={'x': 1}, files=['p'], properties={'icon': 'i'})\nm.text = 'b'\nreturn m")
        self.assertEqual((made["text"], made["data"], made["files"], made["properties"]), ("b", {"foo": {"x": 1}}, ["p"], {"icon": "i"}))
        self.assertEqual(value("return Message.from_template('{a} {b} {{x}}', a=1, b=Message(text='t')).text"), "1 t {x}")
        self.assertEqual(value("return Message.from_data(Data(text='q', sender='AI', z=1)).data"), {"z": 1, "sender": "AI", "text": "q"})
        self.assertEqual(value("return [Message(text=None).get_text(), Message(data={'text': 'd'}).text, Message('p').text]"), ["", "d", "p"])
        self.assertEqual(value("return sorted(Message(text='a').model_dump())[:3]"), ["category", "content_blocks", "context_id"])

    def test_round_trip(self):
        for wire in (
            {"$type": "Message", "text": "a", "sender": "User", "sender_name": None, "session_id": "s", "context_id": None, "files": ["f"], "properties": {}, "id": "1", "data": {"k": [1]}},
            {"$type": "Data", "data": {"a": {"$type": "Data", "data": {}, "text_key": "text", "default_value": ""}}, "text_key": "k", "default_value": ""},
            {"$type": "DataFrame", "columns": ["a"], "rows": [[1], [None]], "text_key": "text"},
            {"$type": "bytes", "b64": "AAH/"},
            {"$type": "dict", "items": [["$type", "x"], ["b", 1]]},
            [1, 2.5, None, True, "x", {"a": []}],
        ):
            self.assertEqual(value("return self.x", fields={"x": wire}), wire)

    def test_odd_values(self):
        head = "import datetime, decimal, enum, uuid, collections, pathlib"
        self.assertEqual(
            value(
                "return [datetime.date(2024, 5, 1), datetime.datetime(2024, 5, 1, 2), decimal.Decimal('1.50'), decimal.Decimal(3), {3, 1}, float('nan'), float('inf'), "
                "(1, 2), uuid.UUID(int=1), collections.Counter('aa'), collections.namedtuple('P', 'x')(1), range(2), {1: 'a'}.keys(), {1: 2}, pathlib.PurePosixPath('/a'), int]",
                head=head,
            ),
            ["2024-05-01", "2024-05-01T02:00:00", 1.5, 3, [1, 3], None, None, [1, 2], "00000000-0000-0000-0000-000000000001", {"a": 2}, {"x": 1}, [0, 1], [1], {"1": 2}, "/a", "int"],
        )
