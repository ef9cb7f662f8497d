from langflow.custom import Component
from langflow.io import DropdownInput, MessageTextInput, Output, SecretStrInput, IntInput
from langflow.schema import Data
from langflow.schema.dotdict import dotdict


class Connector(Component):
    display_name = "Connector"
    description = "Fields appear as the kind is chosen."

    FIELDS = {"none": [], "basic": ["user", "password"], "token": ["token"]}

    inputs = [
        DropdownInput(name="auth", display_name="Auth", options=["none", "basic", "token"], value="none", real_time_refresh=True),
        MessageTextInput(name="user", display_name="User", show=False),
        SecretStrInput(name="password", display_name="Password", show=False, required=False),
        SecretStrInput(name="token", display_name="Token", show=False),
        IntInput(name="port", display_name="Port", value=443, advanced=True),
    ]
    outputs = [Output(name="config", display_name="Config", method="build_it")]

    def update_build_config(self, build_config: dotdict, field_value: str, field_name: str | None = None) -> dotdict:
        if field_name == "auth":
            wanted = self.FIELDS.get(field_value, [])
            for name in ("user", "password", "token"):
                build_config[name]["show"] = name in wanted
                build_config[name]["required"] = name in wanted
            build_config["port"]["value"] = 80 if field_value == "none" else 443
        return build_config

    def build_it(self) -> Data:
        names = self.FIELDS[self.auth]
        return Data(data={"auth": self.auth, "given": [n for n in names if getattr(self, n)]})
