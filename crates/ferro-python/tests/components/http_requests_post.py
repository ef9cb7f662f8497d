import json
from typing import Optional

import requests
from langflow.custom import Component
from langflow.io import DropdownInput, MessageTextInput, NestedDictInput, Output, SecretStrInput
from langflow.schema import Data
from requests.exceptions import HTTPError, RequestException


class SendOrder(Component):
    display_name = "Send Order"
    inputs = [
        NestedDictInput(name="order", display_name="Order", value={}),
        SecretStrInput(name="api_key", display_name="API Key", required=True),
        DropdownInput(name="encoding", display_name="Encoding", options=["json", "form", "raw"], value="json"),
    ]
    outputs = [Output(name="receipt", display_name="Receipt", method="send")]

    def send(self) -> Data:
        session = requests.Session()
        session.headers.update({"Authorization": f"Bearer {self.api_key}"})
        kwargs: dict = {}
        if self.encoding == "json":
            kwargs["json"] = self.order
        elif self.encoding == "form":
            kwargs["data"] = self.order
        else:
            kwargs["data"] = json.dumps(self.order).encode()
        result: Optional[dict] = None
        try:
            r = session.post("https://shop.example.com/orders", timeout=5, **kwargs)
            r.raise_for_status()
            result = r.json()
        except HTTPError as e:
            result = {"error": e.response.status_code, "text": e.response.text}
        except RequestException as e:
            result = {"error": "network", "text": str(e)}
        return Data(data=result)
