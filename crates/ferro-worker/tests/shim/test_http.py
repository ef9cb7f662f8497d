import base64
import unittest

import fake_host
from fake_host import answers, asked, fails, body, page, run, value


class Http(unittest.TestCase):
    def setUp(self):
        fake_host.reset()

    def test_get_with_params(self):
        answers["http"] = page({"a": [1]}, headers=[("Content-Type", "application/json"), ("X-Two", "1")])
        made = value(
            "r = requests.get('https://x.test/p?z=0#f', params={'q': 'é x', 'n': [1, 2], 'none': None}, headers={'A': 'b'}, timeout=(3, 9))\n"
            "r.raise_for_status()\nreturn [r.status_code, r.ok, r.json(), r.headers['x-two'], r.headers.get('X-TWO'), r.url, bool(r)]",
            head="import requests",
        )
        self.assertEqual(made, [200, True, {"a": [1]}, "1", "1", "https://x.test/p?z=0&q=%C3%A9+x&n=1&n=2#f", True])
        self.assertEqual(asked[0]["headers"], [["A", "b"]])
        self.assertEqual((asked[0]["method"], asked[0]["timeout"], asked[0]["follow"], asked[0]["body"]), ("GET", 9.0, True, None))

    def test_bodies(self):
        answers["http"] = page(b"ok")
        value(
            "requests.post('https://x.test', json={'a': 'é'})\nrequests.post('https://x.test', data={'a': 1, 'b': ['x', 'y']})\n"
            "requests.put('https://x.test', data=b'\\xff')\nrequests.post('https://x.test', files={'f': ('n.txt', b'abc', 'text/plain')}, data={'k': 'v'})",
            head="import requests",
        )
        self.assertEqual(asked[0]["body"], '{"a": "\\u00e9"}')
        self.assertEqual(asked[0]["headers"], [["Content-Type", "application/json"]])
        self.assertEqual(asked[1]["body"], "a=1&b=x&b=y")
        self.assertEqual(asked[2]["body_b64"], base64.b64encode(b"\xff").decode())
        sent = base64.b64decode(asked[3]["body_b64"])
        edge = asked[3]["headers"][0][1].partition("boundary=")[2].encode()
        self.assertEqual(sent.count(edge), 3)
        self.assertIn(b'name="f"; filename="n.txt"\r\nContent-Type: text/plain\r\n\r\nabc\r\n', sent)
        self.assertIn(b'name="k"\r\n\r\nv\r\n', sent)

    def test_sessions_auth_and_cookies(self):
        answers["http"] = page(b"", headers=[("Set-Cookie", "s=1; Path=/"), ("Set-Cookie", "t=2")])
        value(
            "with requests.Session() as s:\n    s.headers.update({'X': '1'})\n    s.auth = ('u', 'p')\n    s.get('https://x.test')\n    s.get('https://x.test')\n    return 1",
            head="import requests",
        )
        self.assertIn(["Authorization", "Basic dTpw"], asked[0]["headers"])
        self.assertIn(["Cookie", "s=1; t=2"], asked[1]["headers"])

    def test_errors(self):
        answers["http"] = page(b"no", status=404)
        error = fails("import requests\n" + body("requests.get('https://x.test/a').raise_for_status()"))
        self.assertEqual(error["type"], "HTTPError")
        self.assertIn("404 Client Error: Not Found for url: https://x.test/a", error["message"])
        self.assertEqual(
            value(
                "try:\n    requests.get('https://x.test').raise_for_status()\nexcept requests.exceptions.HTTPError as e:\n    return [e.response.status_code, isinstance(e, requests.RequestException)]",
                head="import requests",
            ),
            [404, True],
        )
        answers["http"] = {"ok": False, "error": "The address is private.", "kind": "refused"}
        self.assertEqual(value("try:\n    requests.get('http://10.0.0.1')\nexcept requests.ConnectionError as e:\n    return str(e)", head="import requests"), "The address is private.")
        answers["http"] = {"ok": False, "error": "Too slow.", "kind": "timeout"}
        self.assertEqual(value("try:\n    requests.get('http://a.test')\nexcept requests.Timeout as e:\n    return 'late'", head="import requests"), "late")
        self.assertEqual(value("try:\n    requests.get('a.test')\nexcept requests.exceptions.MissingSchema:\n    return 'scheme'", head="import requests"), "scheme")

    def test_json_that_is_none(self):
        answers["http"] = page(b"<html>")
        made = value(
            "r = requests.get('https://x.test')\ntry:\n    r.json()\nexcept requests.exceptions.JSONDecodeError:\n    pass\ntry:\n    r.json()\nexcept ValueError:\n    return r.text",
            head="import requests",
        )
        self.assertEqual(made, "<html>")

    def test_text_and_lines(self):
        answers["http"] = page("é\nb".encode("latin-1"), headers=[("content-type", "text/plain; charset=latin-1")])
        made = value("r = requests.get('https://x.test', stream=True)\nreturn [r.text, list(r.iter_lines(decode_unicode=True)), len(r.content), r.encoding]", head="import requests")
        self.assertEqual(made, ["é\nb", ["é", "b"], 3, "latin-1"])

    def test_httpx(self):
        answers["http"] = page({"ok": 1})
        made = run(
            """
            import httpx, asyncio
            class C(Component):
                outputs = [Output(name="a", method="x"), Output(name="b", method="y")]
                def x(self):
                    with httpx.Client(base_url="https://x.test/api", headers={"A": "1"}, timeout=httpx.Timeout(7)) as c:
                        r = c.post("/p", json={"a": 1}, params={"q": 1})
                        return [r.raise_for_status().json(), r.url.host, r.is_success, httpx.get("https://y.test").status_code]
                async def y(self):
                    async with httpx.AsyncClient(follow_redirects=True) as c:
                        many = await asyncio.gather(*(c.get(f"https://x.test/{i}") for i in range(3)))
                        async with c.stream("GET", "https://x.test/s") as r:
                            lines = [line async for line in r.aiter_lines()]
                        return [[m.json()["ok"] for m in many], lines]
            """
        )["outputs"]
        self.assertEqual(made["a"], [{"ok": 1}, "x.test", True, 200])
        self.assertEqual(made["b"], [[1, 1, 1], ['{"ok": 1}']])
        self.assertEqual((asked[0]["url"], asked[0]["timeout"], asked[0]["follow"]), ("https://x.test/api/p?q=1", 7.0, False))
        self.assertTrue(asked[2]["follow"])

    def test_httpx_errors(self):
        answers["http"] = page(b"", status=503)
        made = value(
            "try:\n    httpx.get('https://x.test').raise_for_status()\nexcept httpx.HTTPStatusError as e:\n    first = e.response.status_code\n"
            "try:\n    httpx.get('nope')\nexcept httpx.HTTPError as e:\n    return [first, type(e).__name__]",
            head="import httpx",
        )
        self.assertEqual(made, [503, "UnsupportedProtocol"])
        answers["http"] = {"ok": False, "error": "late", "kind": "timeout"}
        self.assertEqual(value("try:\n    httpx.get('https://x.test')\nexcept httpx.TimeoutException:\n    return 'late'", head="import httpx"), "late")

    def test_ours_even_if_installed(self):
        self.assertTrue(value("return requests.get.__module__", head="import requests").startswith("ferro_shim"))


class Live(unittest.TestCase):
    def setUp(self):
        fake_host.reset()

    def test_models(self):
        answers["model"] = lambda q: {"text": "/".join(m["role"] + ":" + m["content"] for m in q["messages"])}
        live = {"$type": "Live", "kind": "LanguageModel", "ref": 4}
        made = run(
            """
            from langchain_core.messages import HumanMessage, SystemMessage
            class C(Component):
                inputs = [HandleInput(name="llm", input_types=["LanguageModel"])]
                outputs = [Output(name="a", method="x"), Output(name="b", method="y"), Output(name="c", method="z")]
                def x(self): return self.llm.invoke("hi").content
                async def y(self): return (await self.llm.ainvoke([SystemMessage(content="s"), ("human", "h"), {"role": "assistant", "content": "a"}])).content
                def z(self): return self.llm
            """,
            {"llm": live},
        )["outputs"]
        self.assertEqual(made, {"a": "user:hi", "b": "system:s/user:h/assistant:a", "c": live})
        self.assertEqual(asked[0]["model"], live)

    def test_tools_of_other_nodes(self):
        answers["tool_call"] = lambda q: {"$type": "Data", "data": {"got": q["arguments"], "ref": q["ref"]}}
        tools = {"$type": "Tools", "ref": 9, "tools": [{"name": "add", "description": "d", "schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}]}
        made = value("t = self.tools[0]\nreturn [t.name, t.args, t.invoke({'a': 1}).got, t.run({'a': 2}).ref]", "HandleInput(name='tools', is_list=True)", {"tools": tools})
        self.assertEqual(made, ["add", {"a": {"type": "integer"}}, {"a": 1}, 9])

    def test_other_live_objects_only_pass(self):
        live = {"$type": "Live", "kind": "Embeddings", "ref": 1}
        self.assertEqual(value("return self.e", "HandleInput(name='e')", {"e": live}), live)
        self.assertIn("belongs to the server", fails(body("return self.e.embed_query('x')", "HandleInput(name='e')"), {"e": live})["message"])
