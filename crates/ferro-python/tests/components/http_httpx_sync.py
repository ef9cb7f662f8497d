import httpx
from lfx.custom.custom_component.component import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class ReadPage(Component):
    display_name = "Read Page"
    icon = "file-text"
    inputs = [MessageTextInput(name="url", display_name="URL", value="https://example.org/a")]
    outputs = [Output(name="text", display_name="Text", method="read")]

    def read(self) -> Message:
        with httpx.Client(timeout=15.0, follow_redirects=True, headers={"User-Agent": "page-reader/1"}) as client:
            try:
                reply = client.get(self.url)
                reply.raise_for_status()
            except httpx.HTTPStatusError as exc:
                return Message(text=f"status {exc.response.status_code}")
            except httpx.RequestError as exc:
                raise RuntimeError(f"cannot read {self.url}: {exc}") from exc
        return Message(text=reply.text.strip(), properties={"source": {"id": str(reply.url)}})
