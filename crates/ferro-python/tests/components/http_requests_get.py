import requests

from langflow.custom import Component
from langflow.io import IntInput, MessageTextInput, Output
from langflow.schema import Data


class FetchUser(Component):
    display_name = "Fetch User"
    description = "Fetches a user from an API."
    icon = "globe"
    inputs = [
        MessageTextInput(name="base_url", display_name="Base URL", value="https://api.example.com"),
        IntInput(name="user_id", display_name="User ID", value=1, tool_mode=True),
    ]
    outputs = [Output(name="user", display_name="User", method="fetch_user")]

    def fetch_user(self) -> Data:
        url = f"{self.base_url}/users/{self.user_id}"
        response = requests.get(url, params={"full": "1", "q": "a b&c"}, headers={"Accept": "application/json"}, timeout=10)
        if response.status_code == 404:
            self.status = "not found"
            return Data(data={"error": "not found", "id": self.user_id})
        response.raise_for_status()
        body = response.json()
        self.log(f"{response.status_code} {response.headers['content-type']}")
        return Data(data={"name": body["name"], "ok": response.ok, "length": len(response.content)})
