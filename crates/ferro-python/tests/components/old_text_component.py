from typing import Optional

from langflow.custom import CustomComponent
from langflow.field_typing import Text


class OldGreeting(CustomComponent):
    display_name = "Old Greeting"
    documentation = "http://docs.langflow.org/components/custom"
    beta = True

    def build_config(self) -> dict:
        return {"name": {"display_name": "Name"}, "times": {"display_name": "Times", "field_type": "int"}, "code": {"show": True}}

    def build(self, name: str, times: int = 1, title: Optional[str] = None) -> Text:
        who = f"{title} {name}" if title else name
        return "; ".join([f"Hello {who}"] * times)
