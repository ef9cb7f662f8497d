# expect: error
# about: A callback that asks for itself again.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    async def attack(self):
        import asyncio
        loop = asyncio.get_running_loop()
        left = [3_000_000]
        def again():
            left[0] -= 2
            if left[0] > 0:
                loop.call_soon(again)
                loop.call_soon(again)
        again()
        await asyncio.sleep(60)
