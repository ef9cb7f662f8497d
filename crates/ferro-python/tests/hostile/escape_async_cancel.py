# expect: error
# about: Cancels the task that runs the output.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    async def attack(self):
        import asyncio
        asyncio.current_task().cancel()
        await asyncio.sleep(0)
