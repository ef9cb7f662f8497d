# expect: contained
# about: asyncio listens.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    async def attack(self):
        import asyncio
        try:
            s = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
            return "LE" "AK: " + str(s.sockets) if s.sockets else "held"
        except BaseException:
            return "held"
