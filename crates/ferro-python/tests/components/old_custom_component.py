from langflow.custom import CustomComponent
from langflow.schema import Data


class OldJoin(CustomComponent):
    display_name = "Old Join"
    description = "Written the old way, with build and build_config."

    def build_config(self):
        return {
            "texts": {"display_name": "Texts", "input_types": ["Message"]},
            "separator": {"display_name": "Separator", "advanced": True},
        }

    def build(self, texts: list[str], separator: str = ", ", upper: bool = False) -> Data:
        joined = separator.join(texts)
        self.status = joined
        return Data(data={"joined": joined.upper() if upper else joined})
