from langflow.custom import Component
from langflow.inputs.inputs import IntInput, MessageTextInput
from langflow.io import Output
from langflow.schema import Data


class MakeData(Component):
    display_name = "Create Data"
    description = "Dynamically create a Data with a specified number of fields."
    icon = "ListFilter"
    MAX_FIELDS = 5

    inputs = [
        IntInput(name="number_of_fields", display_name="Number of Fields", value=0, real_time_refresh=True),
        MessageTextInput(name="text_key", display_name="Text Key", advanced=True),
    ]
    outputs = [Output(display_name="Data", name="data", method="build_data")]

    def update_build_config(self, build_config, field_value, field_name=None):
        if field_name == "number_of_fields":
            count = int(field_value or 0)
            if count > self.MAX_FIELDS:
                build_config["number_of_fields"]["value"] = self.MAX_FIELDS
                raise ValueError(f"Number of fields cannot exceed {self.MAX_FIELDS}.")
            for key in [k for k in build_config if k.startswith("field_")]:
                if int(key.split("_")[1]) > count:
                    build_config.pop(key)
            for i in range(1, count + 1):
                key = f"field_{i}_key"
                if key not in build_config:
                    build_config[key] = MessageTextInput(display_name=f"Field {i}", name=key, dynamic=True, value="").to_dict()
        return build_config

    def build_data(self) -> Data:
        attributes = {k: v for k, v in self.get_attributes().items()} if hasattr(self, "get_attributes") else {}
        attributes.setdefault("count", self.number_of_fields)
        return Data(data=attributes, text_key=self.text_key or "text")
