import asyncio
from contextlib import asynccontextmanager

from langflow.custom import Component
from langflow.io import FloatInput, Output
from langflow.schema.message import Message


@asynccontextmanager
async def noted(steps: list, name: str):
    steps.append(f"open {name}")
    try:
        yield name
    finally:
        steps.append(f"close {name}")


class Patience(Component):
    display_name = "Patience"
    inputs = [FloatInput(name="seconds", display_name="Work takes", value=5.0), FloatInput(name="limit", display_name="Limit", value=0.02)]
    outputs = [Output(name="out", display_name="Out", method="work")]

    async def work(self) -> Message:
        steps: list[str] = []
        try:
            async with noted(steps, "job"):
                await asyncio.wait_for(asyncio.sleep(self.seconds), timeout=self.limit)
                steps.append("done")
        except (asyncio.TimeoutError, TimeoutError):
            steps.append("too slow")
        return Message(text=" > ".join(steps))
