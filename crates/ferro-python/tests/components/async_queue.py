import asyncio

from langflow.custom import Component
from langflow.io import MessageTextInput, Output, IntInput
from langflow.schema import Data


class Pipeline(Component):
    """Producer and consumers over a queue."""

    display_name = "Pipeline"
    inputs = [
        MessageTextInput(name="words", display_name="Words", is_list=True, value=["b", "a", "c"]),
        IntInput(name="workers", display_name="Workers", value=2),
    ]
    outputs = [Output(name="result", display_name="Result", method="run_pipeline")]

    async def run_pipeline(self) -> Data:
        queue: asyncio.Queue[str | None] = asyncio.Queue(maxsize=1)
        done: dict[str, int] = {}
        lock = asyncio.Lock()

        async def produce():
            for w in self.words:
                await queue.put(w)
            for _ in range(self.workers):
                await queue.put(None)

        async def consume():
            while (item := await queue.get()) is not None:
                async with lock:
                    done[item.upper()] = done.get(item.upper(), 0) + 1

        tasks = [asyncio.create_task(consume()) for _ in range(self.workers)]
        await produce()
        await asyncio.gather(*tasks)
        return Data(data={"done": dict(sorted(done.items()))})
