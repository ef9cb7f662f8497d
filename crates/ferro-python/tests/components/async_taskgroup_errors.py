import asyncio

from lfx.custom.custom_component.component import Component
from lfx.io import BoolInput, Output
from lfx.schema.message import Message


class Careful(Component):
    display_name = "Careful"
    inputs = [BoolInput(name="fail", display_name="Fail", value=False)]
    outputs = [Output(name="out", display_name="Out", method="go")]

    async def _job(self, nr: int) -> str:
        await asyncio.sleep(0.001 * nr)
        if self.fail and nr == 2:
            raise LookupError(f"job {nr} broke")
        return f"job {nr}"

    async def go(self) -> Message:
        results = await asyncio.gather(*(self._job(n) for n in range(1, 4)), return_exceptions=True)
        for r in results:
            if isinstance(r, Exception):
                raise RuntimeError("some jobs failed") from r
        return Message(text=", ".join(results))
