import asyncio
from typing import AsyncIterator

from lfx.custom.custom_component.component import Component
from lfx.io import IntInput, Output
from lfx.schema.message import Message


class Countdown(Component):
    display_name = "Countdown"
    inputs = [IntInput(name="begin", display_name="Start", value=3)]
    outputs = [Output(name="message", display_name="Message", method="count")]

    async def _numbers(self) -> AsyncIterator[str]:
        for n in range(self.begin, 0, -1):
            await asyncio.sleep(0)
            yield f"{n}… "
        yield "go"

    async def count(self) -> Message:
        return Message(text=self._numbers())
