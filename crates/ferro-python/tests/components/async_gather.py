import asyncio
import time

from lfx.custom import Component
from lfx.io import IntInput, Output
from lfx.schema import Data


class Gatherer(Component):
    display_name = "Gatherer"
    inputs = [IntInput(name="n", display_name="How many", value=5)]
    outputs = [Output(name="squares", display_name="Squares", method="squares")]

    async def square(self, i: int) -> int:
        await asyncio.sleep(0.02)
        return i * i

    async def squares(self) -> Data:
        started = time.monotonic()
        found = await asyncio.gather(*[self.square(i) for i in range(self.n)])
        quick = time.monotonic() - started < 0.02 * max(self.n, 2)
        return Data(data={"squares": list(found), "together": quick})
