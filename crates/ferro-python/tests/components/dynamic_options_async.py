import asyncio
from typing import Any

import httpx

from langflow.custom import Component
from langflow.io import DropdownInput, MessageTextInput, Output
from langflow.schema.message import Message


class ModelPicker(Component):
    display_name = "Model Picker"
    inputs = [
        MessageTextInput(name="server", display_name="Server", value="https://models.example", real_time_refresh=True),
        DropdownInput(name="model", display_name="Model", options=[], value="", refresh_button=True, combobox=True),
    ]
    outputs = [Output(name="chosen", display_name="Chosen", method="chosen")]

    async def _models(self, server: str) -> list[str]:
        async with httpx.AsyncClient() as client:
            response = await client.get(f"{server}/api/tags")
            response.raise_for_status()
            return sorted(m["name"] for m in response.json().get("models", []))

    async def update_build_config(self, build_config: dict, field_value: Any, field_name: str | None = None):
        if field_name in {"server", "model"}:
            server = field_value if field_name == "server" else build_config["server"]["value"]
            try:
                build_config["model"]["options"] = await self._models(server)
            except (httpx.HTTPError, KeyError) as e:
                build_config["model"]["options"] = []
                build_config["model"]["info"] = f"Cannot list: {e}"
            await asyncio.sleep(0)
        return build_config

    async def chosen(self) -> Message:
        return Message(text=self.model or "nothing chosen")
