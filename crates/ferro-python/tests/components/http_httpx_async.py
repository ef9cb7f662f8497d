import asyncio

import httpx

from langflow.custom import Component
from langflow.io import IntInput, MessageTextInput, Output
from langflow.schema import Data
from langflow.schema.dataframe import DataFrame


class FetchMany(Component):
    display_name = "Fetch Many"
    description = "Fetches several addresses at once."
    inputs = [
        MessageTextInput(name="urls", display_name="URLs", is_list=True),
        IntInput(name="limit", display_name="At once", value=2),
    ]
    outputs = [Output(name="pages", display_name="Pages", method="fetch_all")]

    async def _one(self, client: httpx.AsyncClient, url: str, gate: asyncio.Semaphore) -> Data:
        async with gate:
            try:
                r = await client.get(url)
            except httpx.HTTPError as e:
                return Data(url=url, status=0, text=type(e).__name__)
            return Data(url=url, status=r.status_code, text=r.text)

    async def fetch_all(self) -> DataFrame:
        gate = asyncio.Semaphore(self.limit)
        async with httpx.AsyncClient(timeout=httpx.Timeout(5.0)) as client:
            rows = await asyncio.gather(*(self._one(client, u.strip(), gate) for u in self.urls if u.strip()))
        self.status = f"{len(rows)} pages"
        return DataFrame(rows)
