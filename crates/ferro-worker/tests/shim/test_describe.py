import unittest

import fake_host
from fake_host import HEAD, fails, handle, source, value

OUTPUT_KEYS = {
    "name", "display_name", "method", "types", "selected", "value", "cache", "hidden", "required_inputs", "allows_loop",
    "loop_types", "group_outputs", "options", "tool_mode",
}


def describe(code, head=True):
    reply = handle(do="describe", code=source(code, head))
    assert "result" in reply, reply
    return reply["result"]


def field(text):
    return describe(f"class C(Component):\n    inputs = [{text}]\n")["fields"][0]


class Describe(unittest.TestCase):
    def setUp(self):
        fake_host.reset()

    def test_all_keys(self):
        told = describe(
            '''
            class Reader(Component):
                """Reads."""
                display_name = "The Reader"
                icon = "book"
                name = "reader"
                beta = True
                priority = 3
                metadata = {"keywords": ["x"]}
                inputs = [StrInput(name="b"), MessageTextInput(name="a", tool_mode=True)]
                outputs = [Output(display_name="Text", name="text", method="read", info="i")]
                def read(self) -> Message:
                    return Message(text="")
            '''
        )
        self.assertEqual([f["name"] for f in told["fields"]], ["b", "a"])
        self.assertEqual(
            {k: told[k] for k in ("class_name", "name", "display_name", "description", "icon", "beta", "legacy", "priority")},
            {"class_name": "Reader", "name": "reader", "display_name": "The Reader", "description": "Reads.", "icon": "book",
             "beta": True, "legacy": False, "priority": 3},
        )
        self.assertEqual(told["metadata"], {"keywords": ["x"]})
        self.assertTrue(told["tool_mode_capable"])
        self.assertEqual(set(told["outputs"][0]), OUTPUT_KEYS)
        self.assertEqual(told["outputs"][0]["value"], "__UNDEFINED__")

    def test_the_last_component_class_wins(self):
        self.assertEqual(describe("class A(Component): pass\nclass B(A): pass\nclass D: pass\n")["class_name"], "B")

    def test_types_from_annotations(self):
        def types(note, head=""):
            code = f"{head}\nclass C(Component):\n    outputs = [Output(name='o', method='m')]\n    def m(self){note}:\n        return 1\n"
            return describe(code)["outputs"][0]["types"]

        for note, wanted in (
            ("", []),
            (" -> Message", ["Message"]),
            (" -> Data", ["JSON"]),
            (" -> DataFrame", ["Table"]),
            (" -> list[Data]", ["JSON"]),
            (" -> 'list[Data]'", ["JSON"]),
            (" -> Message | Data", ["Message", "JSON"]),
            (" -> 'Message | str | None'", ["Message", "Text"]),
            (" -> str", ["Text"]),
            (" -> None", ["NoneType"]),
            (" -> 'Unknown'", ["Unknown"]),
            (" -> 'Optional[List[Message]]'", ["Message"]),
            (" -> dict[str, int]", ["dict"]),
            (" -> 'dict[str, list[Data]]'", ["dict"]),
        ):
            with self.subTest(note=note):
                self.assertEqual(types(note), wanted)
        self.assertEqual(types(" -> Optional[Message]", "from typing import Optional"), ["Message"])
        self.assertEqual(types(" -> Union[Message, List[Data]]", "from typing import Union, List"), ["Message", "JSON"])
        self.assertEqual(types(" -> Any", "from typing import Any"), ["Any"])
        self.assertEqual(types(" -> 'D'", "from lfx.schema import Data as D"), ["JSON"])
        self.assertEqual(types(" -> Message", "from __future__ import annotations"[0:0]), ["Message"])
        self.assertEqual(types(" -> list[Tool]", "from langchain_core.tools import Tool"), ["Tool"])
        self.assertEqual(types(" -> LanguageModel", "from lfx.field_typing import LanguageModel"), ["LanguageModel"])

    def test_future_annotations_and_wrapped_methods(self):
        code = "from __future__ import annotations\nimport functools\n" + HEAD + (
            "def deco(f):\n    @functools.wraps(f)\n    def inner(*a):\n        return f(*a)\n    return inner\n"
            "class C(Component):\n    outputs = [Output(name='o', method='m')]\n    @deco\n    def m(self) -> Data:\n        return 1\n"
        )
        self.assertEqual(describe(code, head=False)["outputs"][0]["types"], ["JSON"])

    def test_annotation_from_source(self):
        from ferro_shim.output import _annotation_in_source

        code = "class A:\n    def m(self, x: dict[str, int] = f(1)) -> 'list[Data]':\n        pass\n"
        self.assertEqual(_annotation_in_source("m", code), "'list[Data]'")
        self.assertEqual(_annotation_in_source("n", "def n(a=')', b=(1, '\\'(')) -> dict[str, A] | B:\n"), "dict[str, A] | B")
        self.assertIsNone(_annotation_in_source("o", "def o(a):\n    return 1\n"))

    def test_given_types_stay(self):
        told = describe("class C(Component):\n    outputs = [Output(name='o', method='m', types=['Data', 'X'])]\n    def m(self) -> Message: return 1\n")
        self.assertEqual((told["outputs"][0]["types"], told["outputs"][0]["selected"]), (["Data", "X", "JSON"], "Data"))

    def test_names_of_outputs(self):
        told = describe("class C(Component):\n    outputs = [Output(display_name='My Out', method='m'), Output(method='m', name='x')]\n    def m(self): return 1\n")
        self.assertEqual([o["name"] for o in told["outputs"]], ["m", "x"])


class Fields(unittest.TestCase):
    def test_defaults_of_each_class(self):
        for text, kind, types, default in (
            ("StrInput(name='n')", "str", None, ""),
            ("MessageTextInput(name='n')", "str", ["Message"], ""),
            ("MessageInput(name='n')", "str", ["Message"], ""),
            ("MultilineInput(name='n')", "str", ["Message"], ""),
            ("MultilineSecretInput(name='n')", "str", ["Message"], ""),
            ("SecretStrInput(name='n')", "str", [], ""),
            ("IntInput(name='n')", "int", None, ""),
            ("FloatInput(name='n')", "float", None, ""),
            ("BoolInput(name='n')", "bool", None, False),
            ("DropdownInput(name='n')", "str", None, ""),
            ("MultiselectInput(name='n')", "str", None, []),
            ("TabInput(name='n')", "tab", None, ""),
            ("DictInput(name='n')", "dict", None, {}),
            ("NestedDictInput(name='n')", "NestedDict", None, {}),
            ("TableInput(name='n')", "table", ["DataFrame", "Table"], []),
            ("HandleInput(name='n')", "other", [], ""),
            ("JSONInput(name='n')", "other", ["Data", "JSON"], ""),
            ("DataFrameInput(name='n')", "other", ["DataFrame", "Table"], ""),
            ("ModelInput(name='n')", "model", ["LanguageModel"], ""),
            ("FileInput(name='n')", "file", None, ""),
            ("PromptInput(name='n')", "prompt", None, ""),
            ("MustachePromptInput(name='n')", "mustache", None, ""),
            ("CodeInput(name='n')", "code", None, ""),
            ("LinkInput(name='n')", "link", None, ""),
            ("SliderInput(name='n')", "slider", None, ""),
            ("QueryInput(name='n')", "query", ["Message"], ""),
            ("SortableListInput(name='n')", "sortableList", None, ""),
            ("ConnectionInput(name='n')", "connect", None, ""),
            ("AuthInput(name='n')", "auth", None, ""),
            ("McpInput(name='n')", "mcp", None, {}),
            ("ToolsInput(name='n')", "tools", None, []),
            ("ActionPickerInput(name='n')", "actionPicker", None, []),
            ("DurationInput(name='n')", "duration", None, {}),
            ("DataDisplayInput(name='n')", "data_display", None, ""),
            ("DBProviderInput(name='n')", "knowledge_backend", [], {}),
            ("DefaultPromptField(name='n')", "str", ["Message"], ""),
        ):
            with self.subTest(text=text):
                told = field(text)
                self.assertEqual(told["type"], kind)
                self.assertEqual(told.get("input_types"), types)
                self.assertEqual(told["value"], default)
                self.assertEqual(told["_input_type"], text.partition("(")[0])
                self.assertEqual((told["name"], told["display_name"], told["required"], told["advanced"]), ("n", "n", False, False))

    def test_particular_keys(self):
        self.assertTrue(field("SecretStrInput(name='n')")["load_from_db"])
        self.assertTrue(field("SecretStrInput(name='n')")["password"])
        self.assertTrue(field("MultilineInput(name='n')")["multiline"])
        self.assertTrue(field("StrInput(name='n', is_list=True)")["list"])
        self.assertFalse(field("AuthInput(name='n')")["show"])
        self.assertEqual(field("FileInput(name='n', file_types=['.csv', 'txt'])")["fileTypes"], ["csv", "txt"])
        self.assertEqual(field("DataInput(name='n')")["_input_type"], "JSONInput")
        self.assertEqual(field("ModelInput(name='n', model_type='embedding')")["input_types"], ["Embeddings"])
        self.assertEqual(field("StrInput(name='n', own_key=[1])")["own_key"], [1])
        self.assertTrue(field("ToolsInput(name='n')")["real_time_refresh"])

    def test_helpers_inside(self):
        code = "from lfx.field_typing.range_spec import RangeSpec\nclass C(Component):\n    inputs = [SliderInput(name='n', range_spec=RangeSpec(min=0, max=2, step=1))]\n"
        self.assertEqual(describe(code)["fields"][0]["range_spec"], {"min": 0.0, "max": 2.0, "step": 1.0, "step_type": "float"})
        code = "from lfx.schema.table import Column\nclass C(Component):\n    inputs = [TableInput(name='n', table_schema=[Column(name='a'), {'name': 'b'}])]\n"
        told = describe(code)["fields"][0]
        self.assertEqual(told["table_schema"], [{"name": "a", "display_name": "a", "type": "str"}, {"name": "b"}])
        self.assertTrue(told["list"] and told["is_list"])

    def test_refusals(self):
        for text, word in (
            ("StrInput(display_name='x')", "name"),
            ("TabInput(name='t', options=['a', 'b', 'c', 'd'])", "at most 3"),
            ("TabInput(name='t', options=['a' * 21])", "20"),
        ):
            error = fails(f"class C(Component):\n    inputs = [{text}]\n")
            self.assertEqual(error["type"], "ValidationError")
            self.assertIn(word, error["message"])


class Conversion(unittest.TestCase):
    def check(self, kind, given, wanted, more=""):
        self.assertEqual(value("return self.n", f"{kind}(name='n'{more})", {"n": given}), wanted)

    def test_values(self):
        message = {"$type": "Message", "text": "hi", "sender": "User"}
        data = {"$type": "Data", "data": {"text": "t", "a": 1}, "text_key": "text"}
        frame = {"$type": "DataFrame", "columns": ["a"], "rows": [[1], [2]]}
        for kind, given, wanted in (
            ("MessageTextInput", message, "hi"),
            ("MessageTextInput", data, "t"),
            ("MessageTextInput", 5, "5"),
            ("StrInput", message, "hi"),
            ("IntInput", "7", 7),
            ("IntInput", "", 0),
            ("IntInput", None, 0),
            ("IntInput", 2.0, 2),
            ("IntInput", message | {"text": "12"}, 12),
            ("FloatInput", "1.5", 1.5),
            ("FloatInput", "", 0.0),
            ("BoolInput", "false", False),
            ("BoolInput", "True", True),
            ("DictInput", '{"a": 1}', {"a": 1}),
            ("DictInput", [{"key": "a", "value": 1}], {"a": 1}),
            ("DictInput", data, {"text": "t", "a": 1}),
            ("NestedDictInput", "", {}),
            ("TableInput", frame, [{"a": 1}, {"a": 2}]),
            ("TableInput", [{"a": 1}], [{"a": 1}]),
            ("SliderInput", "0.3", 0.3),
            ("MultiselectInput", "a", ["a"]),
            ("SecretStrInput", "s", "s"),
            ("HandleInput", [1, {"a": None}], [1, {"a": None}]),
        ):
            with self.subTest(kind=kind, given=given):
                self.check(kind, given, wanted)
        self.check("MessageTextInput", [message, "b"], ["hi", "b"], ", is_list=True")

    def test_objects(self):
        self.assertEqual(value("return type(self.n).__name__", "MessageInput(name='n')", {"n": "x"}), "Message")
        self.assertEqual(value("return type(self.n).__name__", "DataInput(name='n')", {"n": {"a": 1}}), "Data")
        self.assertEqual(value("return self.n.shape", "DataFrameInput(name='n')", {"n": [{"a": 1}]}), [1, 1])
        self.assertEqual(value("return self.extra.text", "", {"extra": {"$type": "Message", "text": "e"}}), "e")

    def test_a_data_without_text(self):
        error = fails(fake_host.body("return self.n", "MessageTextInput(name='n')"), {"n": {"$type": "Data", "data": {"a": 1}}})
        self.assertEqual(error["kind"], "input")
        self.assertIn("its keys: a", error["message"])


class Update(unittest.TestCase):
    CODE = """
    class C(Component):
        inputs = [DropdownInput(name="mode", options=["a", "b"], value="a", real_time_refresh=True), StrInput(name="extra", show=False)]
        outputs = [Output(name="one", method="m")]
        def m(self) -> Message: return Message(text=self.mode)
        def t(self) -> DataFrame: return DataFrame([{"mode": self.mode}])
        async def update_build_config(self, build_config, field_value, field_name=None):
            if field_name == "mode":
                build_config["extra"]["show"] = field_value == "b"
                build_config.extra.info = self.mode
                build_config["new"] = MessageTextInput(name="new", display_name="New")
            return build_config
        def update_outputs(self, frontend_node, field_name, field_value):
            if field_name == "mode" and field_value == "b":
                frontend_node["outputs"] = [Output(name="table", display_name="T", method="t")]
            return frontend_node
    """

    def node(self):
        told = describe(self.CODE)
        template = {"_type": "Component", "code": {"type": "code", "value": "x"}}
        template.update({f["name"]: f for f in told["fields"]})
        return {"template": template, "outputs": told["outputs"], "own": {"kept": True}, "display_name": "D"}

    def update(self, **more):
        reply = handle(do="update", code=source(self.CODE), node=self.node(), **more)
        assert "result" in reply, reply
        return reply["result"]["node"]

    def test_a_field_shows_and_outputs_change(self):
        node = self.update(field="mode", value="b", tool_mode=False)
        self.assertTrue(node["template"]["extra"]["show"])
        self.assertEqual(node["template"]["extra"]["info"], "b")
        self.assertEqual(node["template"]["mode"]["value"], "b")
        self.assertEqual(node["template"]["new"]["_input_type"], "MessageTextInput")
        self.assertEqual(node["template"]["_type"], "Component")
        self.assertEqual(node["own"], {"kept": True})
        self.assertEqual([(o["name"], o["types"], o["selected"]) for o in node["outputs"]], [("table", ["Table"], "Table")])

    def test_nothing_changes_for_other_fields(self):
        node = self.update(field="extra", value="v", tool_mode=False)
        self.assertFalse(node["template"]["extra"]["show"])
        self.assertEqual([o["name"] for o in node["outputs"]], ["one"])

    def test_tool_mode(self):
        node = self.update(field="tool_mode", value=True, tool_mode=True)
        self.assertEqual([(o["name"], o["method"], o["types"]) for o in node["outputs"]], [("component_as_tool", "to_toolkit", ["Tool"])])

    def test_outputs_of_the_canvas_run(self):
        reply = handle(do="run", code=source(self.CODE), fields={"mode": "b"}, outputs=["table"])
        self.assertEqual(reply["result"]["outputs"]["table"]["rows"], [["b"]])

    def test_without_hooks_and_with_bad_ones(self):
        reply = handle(do="update", code=source("class C(Component): pass"), node={"template": {"a": {"value": 1}}, "x": 1}, field="a", value=2, tool_mode=False)
        self.assertEqual(reply["result"]["node"]["template"]["a"]["value"], 2)
        bad = "class C(Component):\n    def update_build_config(self, b, v, n=None): return 5\n"
        self.assertEqual(handle(do="update", code=source(bad), node={"template": {}}, field="a", value=2)["error"]["kind"], "class")
