import base64
import hashlib
import hmac
import uuid

from langflow.custom import Component
from langflow.io import DropdownInput, MessageTextInput, Output
from langflow.schema import Data


class Digest(Component):
    display_name = "Digest"
    inputs = [
        MessageTextInput(name="text", display_name="Text", value="abc"),
        DropdownInput(name="algorithm", display_name="Algorithm", options=["md5", "sha1", "sha256"], value="sha256"),
    ]
    outputs = [Output(name="digest", display_name="Digest", method="digest")]

    def digest(self) -> Data:
        raw = self.text.encode("utf-8")
        h = hashlib.new(self.algorithm, raw)
        sign = hmac.new(b"key", raw, hashlib.sha256).hexdigest()
        return Data(
            data={
                "hex": h.hexdigest(),
                "b64": base64.urlsafe_b64encode(raw).decode(),
                "hmac": sign[:8],
                "uuid": uuid.uuid5(uuid.NAMESPACE_DNS, self.text),
                "random": len(str(uuid.uuid4())),
                "bytes": raw,
            }
        )
