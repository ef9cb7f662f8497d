# expect: contained
# about: asyncio opens a connection.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    async def attack(self):
        import asyncio
        try:
            r, w = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", int("@PORT@")), 2)
            w.write(b"x")
            return "LE" "AK: connected"
        except BaseException:
            return "held"
