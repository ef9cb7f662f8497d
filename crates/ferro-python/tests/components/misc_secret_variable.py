import requests
from langflow.custom import Component
from langflow.io import MessageTextInput, Output, SecretStrInput
from langflow.schema import Data


class SignedCall(Component):
    display_name = "Signed Call"
    inputs = [
        SecretStrInput(name="token", display_name="Token", value="MY_TOKEN"),
        MessageTextInput(name="path", display_name="Path", value="/me"),
    ]
    outputs = [Output(name="out", display_name="Out", method="call_api")]

    def call_api(self) -> Data:
        if not self.token:
            raise ValueError("Token is missing")
        reply = requests.get("https://api.example.com" + self.path, headers={"X-Token": self.token})
        return Data(data={"status": reply.status_code, "masked": self.token[:2] + "***", "type": type(self.token).__name__})
