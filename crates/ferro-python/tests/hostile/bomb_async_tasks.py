# expect: error
# about: A flood of tasks, each starting two more.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    async def attack(self):
        import asyncio
        async def more(depth):
            if depth < 20:
                await asyncio.gather(more(depth + 1), more(depth + 1))
        await more(0)
        return "LE" "AK: a million tasks"
