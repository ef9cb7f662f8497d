import json
import unittest

import fake_host
from fake_host import body, events, fails, handle, run, source, value


class Core(unittest.TestCase):
    def setUp(self):
        fake_host.reset()

    def test_ping_and_nonsense(self):
        self.assertEqual(handle(do="ping"), {"result": {"pong": True}})
        self.assertEqual(handle(do="fly")["error"]["kind"], "input")
        from ferro_shim.runtime import handle as door

        self.assertIn("error", json.loads(door("{not json")))
        self.assertIn("error", json.loads(door("[1]")))
        self.assertEqual(handle(do="run", code=3)["error"]["kind"], "input")

    def test_one_method_for_two_outputs_runs_once(self):
        made = run(
            """
            calls = []
            class C(Component):
                outputs = [Output(name="a", method="go"), Output(name="b", method="go"), Output(name="c", method="n")]
                def go(self) -> Data:
                    self.count = getattr(self, "count", 0) + 1
                    return Data(data={"count": self.count})
                def n(self):
                    return self.count
            """
        )
        self.assertEqual(made["outputs"]["a"]["data"], {"count": 1})
        self.assertEqual(made["outputs"]["b"]["data"], {"count": 1})
        self.assertEqual(made["outputs"]["c"], 1)

    def test_only_wanted_outputs(self):
        code = """
            class C(Component):
                outputs = [Output(name="a", method="x"), Output(name="b", method="y")]
                def x(self): return 1
                def y(self): raise ValueError("not asked for")
            """
        self.assertEqual(run(code, outputs=["a"])["outputs"], {"a": 1})
        reply = handle(do="run", code=source(code), fields={}, outputs=["zzz"])
        self.assertEqual(reply["error"]["kind"], "input")
        self.assertIn("a, b", reply["error"]["message"])

    def test_stop_status_and_log(self):
        made = run(
            """
            class C(Component):
                outputs = [Output(name="yes", method="y"), Output(name="no", method="n")]
                def y(self) -> Message:
                    self.status = "working"
                    self.log("hello", "step")
                    self.log({"a": 1})
                    self.progress(0.5, "half")
                    print("printed", 1)
                    return Message(text="y")
                def n(self) -> Message:
                    self.stop("no")
                    return Message(text="never")
            """
        )
        self.assertEqual(made["stopped"], ["no"])
        self.assertEqual(list(made["outputs"]), ["yes"])
        self.assertEqual(made["status"], "working")
        self.assertEqual(
            events,
            [
                {"event": "status", "value": "working"},
                {"event": "log", "name": "step", "message": "hello"},
                {"event": "log", "name": "Log 2", "message": {"a": 1}},
                {"event": "progress", "value": 0.5, "text": "half"},
                {"event": "log", "name": "print", "message": "printed 1"},
            ],
        )

    def test_instances_are_fresh_and_defaults_are_not_shared(self):
        code = body("self.box.append(1)\nself.seen = getattr(self, 'seen', 0) + 1\nreturn [self.box, self.seen]", "MultiselectInput(name='box', value=[])")
        for _ in range(3):
            self.assertEqual(run(code)["outputs"]["out"], [[1], 1])

    def test_context(self):
        code = body("return [self.session_id, self.graph.session_id, self.flow_id, self.flow_name, self._id, self.user_id, self.graph.user_id]")
        made = run(code, session_id="s", flow_id="f", flow_name="F", node_id="n-1")
        self.assertEqual(made["outputs"]["out"], ["s", "s", "f", "F", "n-1", None, None])

    def test_an_input_wins_over_a_fact_of_the_run(self):
        code = body("return self.session_id", "StrInput(name='session_id')")
        self.assertEqual(run(code, {"session_id": "mine"}, session_id="s")["outputs"]["out"], "mine")

    def test_generators_stream(self):
        made = value("def words():\n    yield 'a'\n    yield 'b'\nreturn Message(text=words())", kind="Message")
        self.assertEqual(made["text"], "ab")
        kinds = [e["event"] for e in events]
        self.assertEqual(kinds, ["message", "token", "token"])
        self.assertEqual(events[0]["message"]["text"], "")
        self.assertEqual([e["text"] for e in events[1:]], ["a", "b"])
        self.assertEqual({e["id"] for e in events}, {made["id"]})

    def test_async_generators_stream(self):
        made = run(
            """
            class C(Component):
                outputs = [Output(name="out", method="go")]
                async def go(self) -> Message:
                    async def words():
                        for w in ("x", "y"):
                            yield w
                    return Message(text=words())
            """
        )
        self.assertEqual(made["outputs"]["out"]["text"], "xy")
        self.assertEqual([e["event"] for e in events], ["message", "token", "token"])

    def test_a_generator_method(self):
        self.assertEqual(value("yield 1\nyield 2", kind="list"), [1, 2])
        self.assertEqual(value("yield 'a'\nyield 'b'", kind="Message")["text"], "ab")

    def test_send_message_both_ways(self):
        run(
            """
            class C(Component):
                outputs = [Output(name="a", method="s"), Output(name="b", method="w")]
                def s(self):
                    m = self.send_message(Message(text="one"))
                    m.text = "two"
                    return self.send_message(m).text
                async def w(self):
                    m = await self.send_message(Message(text="three"))
                    return m.text
            """,
            session_id="s1",
        )
        sent = [e for e in events if e["event"] == "message"]
        self.assertEqual([e["message"]["text"] for e in sent], ["one", "two", "three"])
        self.assertEqual(sent[0]["id"], sent[1]["id"])
        self.assertNotEqual(sent[0]["id"], sent[2]["id"])
        self.assertEqual(sent[0]["message"]["session_id"], "s1")

    def test_variables(self):
        fake_host.answers["variable"] = lambda q: {"value": "v:" + q["name"]}
        self.assertEqual(value("return self.get_variable('KEY')"), "v:KEY")
        code = "class C(Component):\n    outputs=[Output(name='out', method='go')]\n    async def go(self):\n        return await self.variables('K2', 'f')\n"
        self.assertEqual(run(code)["outputs"]["out"], "v:K2")

    def test_files(self):
        fake_host.answers["file"] = {"name": "a.txt", "data_b64": "aMOp"}
        self.assertEqual(value("with open('a.txt') as f:\n    return f.read()"), "hé")
        self.assertEqual(value("return len(self.read_file('a.txt'))"), 3)
        self.assertIn("cannot write", fails(body("open('x', 'w')"))["message"])

    def test_hooks_before_the_run(self):
        self.assertEqual(
            run(
                """
                class C(Component):
                    outputs = [Output(name="out", method="go")]
                    def _pre_run_setup(self):
                        self.ready = 1
                    def go(self):
                        return self.ready
                """
            )["outputs"]["out"],
            1,
        )

    def test_the_cache_drops_the_oldest(self):
        from ferro_shim import loader

        for number in range(40):
            self.assertEqual(value(f"return {number}"), number)
        self.assertLessEqual(len(loader._cache), loader.MAX_CACHED)

    def test_exec(self):
        reply = handle(do="exec", code="print(math.sqrt(16)); print(os.path.basename('a/b'))", imports=["math", "os.path"])
        self.assertEqual(reply["result"], {"stdout": "4.0\nb\n"})
        self.assertEqual(events, [])
        bad = handle(do="exec", code="x = 1\nprint(1 / 0)\n")["error"]
        self.assertEqual((bad["kind"], bad["line"], bad["type"]), ("raise", 2, "ZeroDivisionError"))
        self.assertEqual(handle(do="exec", code="1", imports=["nope_nope"])["error"]["kind"], "import")
        self.assertEqual(handle(do="exec", code="def f():\n    return g()\ndef g():\n    return 2\nprint(f())")["result"]["stdout"], "2\n")

    def test_surrogates_do_not_leave(self):
        from ferro_shim.runtime import handle as door

        text = door(json.dumps({"do": "run", "code": source(body("return chr(0xd800) + 'é'")), "fields": {}}))
        text.encode("utf-8")
        self.assertEqual(json.loads(text)["result"]["outputs"]["out"], "?é")

    def test_old_style(self):
        code = """
        from lfx.custom import CustomComponent
        class Old(CustomComponent):
            display_name = "Old"
            def build_config(self):
                return {"param": {"display_name": "Param"}, "mode": {"options": ["a", "b"], "value": "a"}}
            def build(self, param: str, mode: str = "b", count: int = 2, items: list[str] = None) -> Data:
                return Data(value=[param, mode, count])
        """
        told = handle(do="describe", code=source(code))["result"]
        self.assertEqual([f["name"] for f in told["fields"]], ["param", "mode", "count", "items"])
        self.assertEqual([f["_input_type"] for f in told["fields"]], ["StrInput", "DropdownInput", "IntInput", "StrInput"])
        self.assertEqual(told["outputs"][0]["types"], ["JSON"])
        self.assertEqual(run(code, {"param": "p", "count": "3"})["outputs"]["output"]["data"], {"value": ["p", "a", 3]})


class Limits(unittest.TestCase):
    def setUp(self):
        fake_host.reset()

    def test_events_are_capped(self):
        value("for i in range(5000):\n    self.log(i)\nreturn 1")
        self.assertEqual(len(events), 2000)
        self.assertIn("left out", events[-1]["message"])
        fake_host.reset()
        value("for i in range(5):\n    self.log('x' * 400000)\nreturn 1")
        self.assertEqual(len(events), 3)
        self.assertIn("left out", events[-1]["message"])

    def test_printing_is_capped(self):
        value("print('x' * 200000)\nprint('y')\nreturn 1")
        self.assertEqual(len(events[0]["message"]), 64 * 1024)
        self.assertIn("left out", events[1]["message"])
        self.assertEqual(len(events), 2)

    def test_depth(self):
        bad = fails(body("x = []\nfor i in range(100):\n    x = [x]\nreturn x"))
        self.assertEqual(bad["kind"], "input")
        self.assertEqual(handle(do="run", code=source(body("return 1")), fields={"a": json.loads("[" * 80 + "]" * 80)})["error"]["kind"], "input")

    def test_recursion_and_memory(self):
        bad = fails(body("def f():\n    return f()\nreturn f()"))
        self.assertEqual((bad["kind"], bad["type"]), ("limit", "RecursionError"))
        self.assertEqual(fails(body("raise MemoryError()"))["kind"], "limit")

    def test_stdout_is_given_back(self):
        import sys

        before = sys.stdout, sys.stderr
        value("import sys\nsys.stdout = None\nreturn 1")
        fails(body("raise ValueError"))
        self.assertEqual((sys.stdout, sys.stderr), before)


class Encoding(unittest.TestCase):
    def test_both_encoders_say_the_same(self):
        from ferro_shim import encode

        class Text(str):
            pass

        for value in (
            None, True, 1, -2.5, 10**30, "", "a\"b\\c\n\x01é\u2028", [], {}, [1, [2, {"a": None}]], {"a": {}, "b": [], "c": [True, False], "d\"": 1.0},
            {"x": "y", "z": {"x": "w"}}, [Text("t")], {"k": Text("t")},
        ):
            self.assertEqual(json.loads(encode._quick(value)), json.loads(encode._slow(value)))
            self.assertEqual(json.loads(encode._quick(value)), value)
        for bad in (float("nan"), [float("inf")], {"a": object()}):
            for work in (encode._quick, encode._slow):
                self.assertRaises((ValueError, TypeError), work, bad)
