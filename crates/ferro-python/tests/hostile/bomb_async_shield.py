# expect: error
# about: A task that swallows its own cancellation.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    async def attack(self):
        import asyncio
        import time
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                pass
        return "LE" "AK: outlived its cancellation"
