# expect: contained
# about: Closes and replaces the event loop under the runtime.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    async def attack(self):
        import asyncio
        loop = asyncio.get_running_loop()
        loop.stop()
        try:
            loop.close()
        except RuntimeError:
            pass
        asyncio.set_event_loop(None)
        return "held"
