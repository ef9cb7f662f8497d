# expect: contained
# about: A program started through asyncio.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    async def attack(self):
        import asyncio
        try:
            p = await asyncio.create_subprocess_exec("/bin/true")
            return "LE" "AK: " + str(p.pid)
        except BaseException:
            return "held"
