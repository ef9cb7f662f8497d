import sys
import unittest

import fake_host
from fake_host import body, fails, handle, source


class Errors(unittest.TestCase):
    def setUp(self):
        fake_host.reset()

    def check(self, code, kind, line, *words):
        error = handle(do="run", code=code, fields={})["error"]
        self.assertEqual((error["kind"], error["line"]), (kind, line), error)
        for word in words:
            self.assertIn(word, error["message"])
        self.assertNotIn("Traceback", error["message"])
        self.assertNotIn("ferro_shim", error["trace"])
        return error

    def test_syntax(self):
        error = self.check("x = 1\ndef f(:\n    pass\n", "syntax", 2)
        self.assertEqual(error["column"], 7)
        self.check("return 1", "syntax", 1)
        self.check("x = '\\", "syntax", 1)

    def test_missing_modules(self):
        self.check("import nothing_here\n", "import", 1, "nothing_here")
        self.check("import os\nfrom lfx.nothing import X\n", "import", 2, "lfx.nothing", "custom", "schema")
        self.check("from lfx.io import FooInput\n", "import", 1, "FooInput", "StrInput")
        self.check("from langflow.io.nope import A\n", "import", 1, "langflow.io.nope")

    def test_classes(self):
        self.check("class A: pass\n", "class", None, "derives from Component", "A")
        self.check(source("class C(Component):\n    outputs = [Output(name='o', method='nope')]\n"), "class", None, "nope")
        self.check(source("class C(Component):\n    inputs = [StrInput(name='a')]\n    outputs = [Output(name='a', method='m')]\n    def m(self): return 1\n"), "class", None, "`a`")
        self.check(source("class C(Component):\n    inputs = ['a']\n"), "class", None, "not an input")
        self.check(source("class C(Component):\n    def __init__(self, x): pass\n"), "class", None, "without arguments")

    def test_the_line_is_the_users(self):
        error = self.check(source("def deep(d):\n    return d['zz']\n") + body("x = 1\nreturn deep({})"), "raise", 6, "zz")
        self.assertEqual(error["type"], "KeyError")
        self.assertIn("return d['zz']", error["trace"])
        self.assertIn("in go", error["trace"])

    def test_chains_are_told(self):
        error = fails(body("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('bad input') from e"))
        self.assertEqual(error["message"], "bad input")
        self.assertIn("ZeroDivisionError", error["trace"])
        self.assertNotIn("ferro_shim", error["trace"])

    def test_an_error_in_a_callback_of_the_shim_names_the_users_line(self):
        error = fails(body("df = DataFrame([{'a': 1}])\nreturn df.apply(lambda r: r['nope'], axis=1)"))
        self.assertEqual(error["line"], 10)

    def test_odd_exceptions(self):
        self.assertEqual(fails(body("raise SystemExit(3)"))["kind"], "raise")
        self.assertIn("exit", fails(body("import sys\nsys.exit()"))["message"])
        self.assertEqual(fails(body("raise KeyboardInterrupt"))["type"], "KeyboardInterrupt")
        bad = "class E(Exception):\n    def __str__(self): raise ValueError\n"
        self.assertEqual(fails(bad + body("raise E"))["type"], "E")
        if sys.version_info >= (3, 11):
            error = fails(body("raise ExceptionGroup('many', [ValueError('a')])"))
            self.assertEqual((error["type"], error["line"]), ("ExceptionGroup", 9))

    def test_long_messages_are_cut(self):
        error = fails(body("raise ValueError('x' * 100000)"))
        self.assertLess(len(error["message"]), 2100)
        self.assertLess(len(error["trace"]), 8200)

    def test_bad_inputs(self):
        error = fails(body("return self.n", "IntInput(name='n')"), {"n": "many"})
        self.assertEqual(error["kind"], "input")
        self.assertIn("`n`", error["message"])
        self.assertEqual(fails(body("return 1"), {"x": {"$type": "Moon"}})["kind"], "input")

    def test_bad_values_of_the_schema(self):
        self.assertIn("must be a string", fails(body("return Message(text=3)"))["message"])
        self.assertIn("must be a dict", fails(body("return Data(data=[1])"))["message"])
        self.assertIn("same length", fails(body("return DataFrame({'a': [1], 'b': [1, 2]})"))["message"])

    def test_unsupported_names_the_way_out(self):
        error = fails(body("return DataFrame([{'a': 1}]).to_parquet()"))
        self.assertIn("--python", error["message"])
        self.assertIn("to_parquet", error["message"])


class Probe(unittest.TestCase):
    def probe(self, text, inputs=""):
        return handle(do="probe", code=source(body(text, inputs)))

    def test_passes(self):
        self.assertEqual(self.probe("return Message(text='ok')")["result"], {"passed": True, "notes": []})

    def test_an_ordinary_error_passes_with_a_note(self):
        made = self.probe("return Message(text=self.d['missing'])", "DictInput(name='d')")["result"]
        self.assertTrue(made["passed"])
        self.assertIn("KeyError", made["notes"][0])

    def test_schema_errors_fail(self):
        self.assertEqual(self.probe("return Message(text=[1])")["error"]["type"], "ValidationError")
        self.assertEqual(self.probe("return Data(data='x')")["error"]["type"], "ValidationError")

    def test_probe_values(self):
        made = self.probe(
            "raise RuntimeError(repr([self.s, self.i, self.f, self.b, self.d, self.h]))",
            "StrInput(name='s'), IntInput(name='i'), FloatInput(name='f'), BoolInput(name='b'), DictInput(name='d'), HandleInput(name='h')",
        )["result"]
        self.assertIn("['validation_probe', 1, 1.0, True, {}, '']", made["notes"][0])
