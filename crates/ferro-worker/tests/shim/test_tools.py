import unittest

import fake_host
from fake_host import fails, handle, run, source, value

CODE = """
from langchain_core.tools import StructuredTool, Tool, ToolException, tool, BaseTool
from pydantic import BaseModel, Field

class Args(BaseModel):
    city: str = Field(description="Which city")
    days: int = Field(default=1, ge=1)

@tool
def shout(text: str, times: int = 2) -> str:
    '''Says it loud.

    Args:
        text: what to say
        times: how often
    '''
    return text.upper() * times

class Own(BaseTool):
    name: str = "own"
    description: str = "mine"
    def _run(self, a: int, b: int) -> int:
        return a + b

def weather(city, days=1):
    if city == "none":
        raise ToolException("no such city")
    return f"{city}:{days}"

async def later(x: list[int], y: "dict | None" = None):
    return Data(total=sum(x))

class C(Component):
    inputs = [StrInput(name="prefix")]
    outputs = [Output(name="tools", method="make"), Output(name="single", method="one")]
    def make(self) -> list[Tool]:
        return [
            shout,
            Own(),
            StructuredTool.from_function(weather, name="weather", description="w", args_schema=Args),
            StructuredTool.from_function(coroutine=later, name="later", description="l"),
            StructuredTool.from_function(weather, name="soft", description="s", handle_tool_error=True),
        ]
    def one(self) -> Tool:
        return Tool(name="echo", func=lambda q: self.prefix + q, description="Echo")
"""


def call(name, arguments, output="tools", fields=None):
    return handle(do="tool", code=source(CODE), fields=fields or {}, output=output, tool=name, arguments=arguments, context={})


class Tools(unittest.TestCase):
    def setUp(self):
        fake_host.reset()

    def test_they_are_told(self):
        made = run(CODE)["outputs"]
        tools = {t["name"]: t for t in made["tools"]["tools"]}
        self.assertEqual(made["tools"]["$type"], "Tools")
        self.assertEqual(list(tools), ["shout", "own", "weather", "later", "soft"])
        self.assertEqual(tools["shout"]["description"], "Says it loud.")
        self.assertEqual(
            tools["shout"]["schema"],
            {"type": "object", "properties": {"text": {"type": "string", "description": "what to say"},
             "times": {"type": "integer", "description": "how often", "default": 2}}, "required": ["text"]},
        )
        self.assertEqual(tools["own"]["schema"]["required"], ["a", "b"])
        self.assertEqual(tools["weather"]["schema"]["properties"]["city"]["description"], "Which city")
        self.assertEqual(tools["weather"]["schema"]["required"], ["city"])
        self.assertEqual(tools["later"]["schema"]["properties"]["x"], {"type": "array", "items": {"type": "integer"}})
        self.assertEqual(made["single"]["tools"][0]["schema"], {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]})

    def test_they_run(self):
        self.assertEqual(call("shout", {"text": "a", "times": 3})["result"]["value"], "AAA")
        self.assertEqual(call("own", {"a": 1, "b": 2})["result"]["value"], 3)
        self.assertEqual(call("weather", {"city": "Rome"})["result"]["value"], "Rome:1")
        self.assertEqual(call("later", {"x": [1, 2]})["result"]["value"]["data"], {"total": 3})
        self.assertEqual(call("echo", {"q": "x"}, "single", {"prefix": ">"})["result"]["value"], ">x")

    def test_they_fail(self):
        self.assertEqual(call("weather", {"city": "none"})["error"]["type"], "ToolException")
        self.assertEqual(call("soft", {"city": "none"})["result"]["value"], "no such city")
        self.assertIn("city", call("weather", {})["error"]["message"])
        error = call("nope", {})["error"]
        self.assertEqual(error["kind"], "input")
        self.assertIn("shout, own", error["message"])

    def test_components_as_tools(self):
        code = source(
            """
            class WordCounter(Component):
                description = "Counts words"
                inputs = [MessageTextInput(name="text", info="the text", required=True, tool_mode=True), IntInput(name="extra", value=1)]
                outputs = [Output(name="count", method="run")]
                def run(self) -> Data:
                    self.send_message(Message(text="quiet"))
                    return Data(count=len(self.text.split()) + self.extra)
            """
        )
        made = handle(do="run", code=code, fields={"extra": 10}, outputs=["component_as_tool"])["result"]["outputs"]["component_as_tool"]
        self.assertEqual(
            made["tools"],
            [{"name": "word_counter", "description": "Counts words",
              "schema": {"type": "object", "properties": {"text": {"type": "string", "description": "the text"}}, "required": ["text"]}}],
        )
        reply = handle(do="tool", code=code, fields={"extra": 10}, output="component_as_tool", tool="word_counter", arguments={"text": "a b"})
        self.assertEqual(reply["result"]["value"], {"count": 12})
        self.assertEqual([e for e in fake_host.events if e["event"] == "message"], [])

    def test_tool_components(self):
        code = """
        from lfx.base.langchain_utilities.model import LCToolComponent
        from lfx.field_typing import Tool
        class T(LCToolComponent):
            inputs = [StrInput(name="q")]
            def run_model(self) -> list[Data]: return [Data(text=self.q)]
            def build_tool(self) -> Tool: return Tool(name="t", func=lambda x: x, description="d")
        """
        made = run(code, {"q": "z"})["outputs"]
        self.assertEqual(made["api_run_model"][0]["data"]["text"], "z")
        self.assertEqual(made["api_build_tool"]["tools"][0]["name"], "t")

    def test_bases_that_cannot_work_say_so(self):
        error = fails("from lfx.base.embeddings.model import LCEmbeddingsModel\nclass E(LCEmbeddingsModel):\n    inputs = [StrInput(name='a')]\n")
        self.assertIn("--python", error["message"])


class Models(unittest.TestCase):
    """The stand-in for pydantic, which must be right where the real one is absent."""

    def setUp(self):
        from ferro_shim import model

        self.m = model

    def test_fields_and_defaults(self):
        m = self.m

        class A(m.BaseModel):
            n: int
            s: str = "x"
            items: list[int] = m.Field(default_factory=list)
            o: "int | None" = None

        made = A(n="5", items=["1", 2])
        self.assertEqual(made.model_dump(), {"n": 5, "s": "x", "items": [1, 2], "o": None})
        self.assertEqual(A.model_validate_json('{"n": 1}').n, 1)
        with self.assertRaises(m.ValidationError) as caught:
            A(s=3)
        self.assertIn("`n` is missing", str(caught.exception))
        self.assertIn("`s`", str(caught.exception))
        self.assertEqual(A.model_json_schema()["required"], ["n"])

    def test_nested_bounds_and_validators(self):
        m = self.m

        class B(m.BaseModel):
            age: int = m.Field(ge=0, le=150)
            name: str

            @m.field_validator("name")
            @classmethod
            def clean(cls, value):
                if not value.strip():
                    raise ValueError("is empty")
                return value.strip()

        class D(m.BaseModel):
            people: list[B]
            lead: "B | None" = None

        made = D(people=[{"age": 3, "name": " a "}])
        self.assertEqual(made.people[0].name, "a")
        for bad in ({"age": -1, "name": "a"}, {"age": 1, "name": " "}, {"age": "x", "name": "a"}):
            with self.assertRaises(m.ValidationError):
                D(people=[bad])
        self.assertEqual(made.model_copy(update={"lead": 1}).lead, 1)

    def test_create_model_and_extra(self):
        m = self.m
        made = m.create_model("X", a=(int, ...), b=(str, "d"))
        self.assertEqual(made(a=1).model_dump(), {"a": 1, "b": "d"})

        class F(m.BaseModel):
            model_config = m.ConfigDict(extra="forbid")
            a: int = 1

        with self.assertRaises(m.ValidationError):
            F(z=1)


class Aliases(unittest.TestCase):
    def test_every_name_is_there(self):
        from ferro_shim.alias_table import TABLE

        for path, groups in TABLE.items():
            for module, names in groups:
                found = __import__(f"ferro_shim.{module}", fromlist=["x"])
                for name in names.split():
                    shown, _, real = name.partition("=")
                    self.assertTrue(hasattr(found, real or shown), f"{path}: {module}.{real or shown}")

    def test_paths_meet_the_same_class(self):
        made = value(
            "return [A is B is D is E, M is N, F is G]",
            head="from lfx.custom import Component as A\nfrom langflow.custom import Component as B\n"
            "from lfx.custom.custom_component.component import Component as D\nfrom langflow.custom.custom_component.component import Component as E\n"
            "from lfx.schema.message import Message as M\nfrom langflow.schema import Message as N\nimport lfx.schema.dataframe\n"
            "from langflow.schema.dataframe import DataFrame as F\nG = lfx.schema.dataframe.DataFrame\n",
        )
        self.assertEqual(made, [True, True, True])

    def test_submodules_by_name(self):
        self.assertEqual(value("return message.Message(text='a').text", head="from lfx.schema import message"), "a")

    def test_helpers(self):
        made = value(
            "return [data_to_text('{a}-{text}', [Data(a=1, text='t'), Data(a=2)]), safe_convert(Data(a=1)), dotdict({'a': {'b': 1}}).a.b]",
            head="from lfx.helpers.data import data_to_text, safe_convert\nfrom lfx.schema.dotdict import dotdict",
        )
        self.assertEqual(made, ["1-t\n2-", '{\n  "a": 1\n}', 1])

    def test_loggers(self):
        fake_host.reset()
        value("logger.info('a {}', 1)\nlogger.warning('b %s', 2)", head="from loguru import logger")
        self.assertEqual([(e["name"], e["message"]) for e in fake_host.events], [("info", "a 1"), ("warning", "b 2")])
