import time

import requests
from langflow.custom import Component
from langflow.io import IntInput, Output, StrInput
from langflow.schema import Data
from loguru import logger


def retrying(times_attr: str):
    """Tries again on a 5xx."""

    def wrap(fn):
        def inner(self, *args, **kwargs):
            last = None
            for attempt in range(1, getattr(self, times_attr) + 1):
                reply = fn(self, *args, **kwargs)
                if reply.status_code < 500:
                    return reply, attempt
                last = reply
                logger.warning("attempt {} failed", attempt)
                time.sleep(0)
            last.raise_for_status()

        return inner

    return wrap


class Retrier(Component):
    display_name = "Retrier"
    inputs = [StrInput(name="url", display_name="URL", value="https://x.example/"), IntInput(name="tries", display_name="Tries", value=3)]
    outputs = [Output(name="out", display_name="Out", method="go")]

    @retrying("tries")
    def _get(self):
        return requests.request("GET", self.url)

    def go(self) -> Data:
        reply, attempt = self._get()
        return Data(data={"attempt": attempt, "text": reply.text})
