import unittest

import fake_host
from fake_host import fails, run, source


def awaited(text, head=""):
    import textwrap

    inner = textwrap.indent(textwrap.dedent(text).strip("\n"), " " * 8)
    code = f"import asyncio\n{head}\nclass C(Component):\n    outputs = [Output(name='out', method='go')]\n    async def go(self):\n{inner}\n"
    return run(code)["outputs"]["out"]


class Async(unittest.TestCase):
    def setUp(self):
        fake_host.reset()

    def test_gather_and_sleep_in_order(self):
        self.assertEqual(
            awaited(
                """
                seen = []
                async def work(n, wait):
                    await asyncio.sleep(wait)
                    seen.append(n)
                    return n * 2
                made = await asyncio.gather(work(1, 0.02), work(2, 0.001), work(3, 0))
                return [made, seen]
                """
            ),
            [[2, 4, 6], [3, 2, 1]],
        )

    def test_queue_semaphore_event_lock(self):
        self.assertEqual(
            awaited(
                """
                queue, gate, out = asyncio.Queue(2), asyncio.Semaphore(1), []
                done = asyncio.Event()
                async def make():
                    for i in range(5):
                        await queue.put(i)
                    await queue.put(None)
                async def take():
                    while (item := await queue.get()) is not None:
                        async with gate:
                            out.append(item)
                    done.set()
                task = asyncio.create_task(make())
                other = asyncio.create_task(take())
                await done.wait()
                await asyncio.gather(task, other)
                return out
                """
            ),
            [0, 1, 2, 3, 4],
        )

    def test_wait_for_and_to_thread(self):
        self.assertEqual(
            awaited(
                """
                try:
                    await asyncio.wait_for(asyncio.sleep(30), 0.001)
                except asyncio.TimeoutError:
                    late = True
                loop = asyncio.get_running_loop()
                return [late, await asyncio.to_thread(lambda a: a + 1, 1), await loop.run_in_executor(None, len, "abc")]
                """
            ),
            [True, 2, 3],
        )

    @unittest.skipUnless(hasattr(__import__("asyncio"), "TaskGroup"), "TaskGroup is of 3.11")
    def test_task_group_and_timeout(self):
        self.assertEqual(
            awaited(
                """
                async def two():
                    await asyncio.sleep(0)
                    return 2
                async with asyncio.TaskGroup() as group:
                    a, b = group.create_task(two()), group.create_task(two())
                try:
                    async with asyncio.timeout(0.001):
                        await asyncio.sleep(9)
                except TimeoutError:
                    return a.result() + b.result()
                """
            ),
            4,
        )

    def test_asyncio_run_in_a_plain_method(self):
        made = run(
            """
            import asyncio
            async def work():
                await asyncio.sleep(0)
                return 5
            class C(Component):
                outputs = [Output(name="a", method="x"), Output(name="b", method="y")]
                def x(self): return asyncio.run(work())
                def y(self): return asyncio.new_event_loop().run_until_complete(work()) + asyncio.get_event_loop().run_until_complete(work())
            """
        )
        self.assertEqual(made["outputs"], {"a": 5, "b": 10})

    def test_waiting_for_nothing_is_an_error(self):
        code = "import asyncio\nclass C(Component):\n    outputs=[Output(name='o', method='m')]\n    async def m(self):\n        await asyncio.Event().wait()\n"
        self.assertIn("never happen", fails(code)["message"])

    def test_errors_in_tasks_have_the_line(self):
        code = "class C(Component):\n    outputs=[Output(name='o', method='m')]\n    async def m(self):\n        raise ValueError('boom')\n"
        error = fails(code)
        self.assertEqual((error["line"], error["message"]), (8, "boom"))

    def test_left_over_tasks_end_with_the_request(self):
        head = "state = []"
        code = """
        async def forever():
            while True:
                try:
                    await asyncio.sleep(0)
                except asyncio.CancelledError:
                    state.append("cancelled")
                    raise
        asyncio.create_task(forever())
        await asyncio.sleep(0)
        return list(state)
        """
        self.assertEqual(awaited(code, head), [])
        self.assertEqual(awaited(code, head), ["cancelled"])

    def test_selectors_are_not_needed(self):
        from ferro_shim import aio

        aio.install()
        loop = aio.new_loop()
        import asyncio

        self.assertFalse(isinstance(loop, getattr(asyncio, "SelectorEventLoop", ())))
        self.assertEqual(loop.run_until_complete(asyncio.sleep(0, 3)), 3)
        loop.close()

    def test_async_context_managers_and_iterators(self):
        self.assertEqual(
            awaited(
                """
                @contextlib.asynccontextmanager
                async def box():
                    yield 1
                async def numbers():
                    for i in range(3):
                        await asyncio.sleep(0)
                        yield i
                async with box() as one:
                    return [one, [n async for n in numbers()]]
                """,
                "import contextlib",
            ),
            [1, [0, 1, 2]],
        )


class Source(unittest.TestCase):
    def test_dataclasses_enums_and_hints(self):
        code = source(
            """
            import dataclasses, enum, typing
            @dataclasses.dataclass
            class P:
                x: int
                y: "list[int]" = dataclasses.field(default_factory=list)
            class E(enum.Enum):
                A = "a"
            class C(Component):
                outputs = [Output(name="o", method="m")]
                def m(self) -> Data:
                    return Data(p=P(1, [2]), e=E.A, hints=[k for k in typing.get_type_hints(P)])
            """
        )
        made = fake_host.handle(do="run", code=code, fields={})["result"]["outputs"]["o"]["data"]
        self.assertEqual(made, {"p": {"x": 1, "y": [2]}, "e": "a", "hints": ["x", "y"]})


class Executors(unittest.TestCase):
    def test_they_run_at_once(self):
        made = fake_host.value(
            "with ThreadPoolExecutor(max_workers=4) as pool:\n    jobs = {pool.submit(pow, n, 2): n for n in range(3)}\n"
            "    done = {jobs[f]: f.result() for f in as_completed(jobs)}\n    bad = pool.submit(int, 'x')\n"
            "    return [done, list(pool.map(str, [1, 2])), type(bad.exception()).__name__]",
            head="from concurrent.futures import ThreadPoolExecutor, as_completed",
        )
        self.assertEqual(made, [{"0": 0, "1": 1, "2": 4}, ["1", "2"], "ValueError"])


class Warm(unittest.TestCase):
    def test_it_leaves_nothing(self):
        import sys

        from ferro_shim import loader, runtime

        fake_host.reset()
        runtime.warm()
        self.assertEqual(loader._cache, {})
        self.assertEqual([n for n in sys.modules if n.startswith("component_")], [])
        self.assertEqual(fake_host.events, [])
