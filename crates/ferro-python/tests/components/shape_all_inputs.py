from langflow.custom import Component
from langflow.io import (
    BoolInput,
    CodeInput,
    DataFrameInput,
    DataInput,
    DictInput,
    DropdownInput,
    FileInput,
    FloatInput,
    HandleInput,
    IntInput,
    LinkInput,
    MessageInput,
    MessageTextInput,
    MultilineInput,
    MultilineSecretInput,
    MultiselectInput,
    NestedDictInput,
    Output,
    PromptInput,
    SecretStrInput,
    SliderInput,
    StrInput,
    TabInput,
    TableInput,
)
from langflow.field_typing.range_spec import RangeSpec
from langflow.schema import Data


class Everything(Component):
    display_name = "Everything"
    description = "One field of every kind."
    inputs = [
        StrInput(name="a_str", display_name="Str"),
        MessageTextInput(name="a_text", display_name="Text"),
        MessageInput(name="a_message", display_name="Message"),
        MultilineInput(name="a_multiline", display_name="Multiline"),
        SecretStrInput(name="a_secret", display_name="Secret"),
        MultilineSecretInput(name="a_long_secret", display_name="Long secret"),
        IntInput(name="a_int", display_name="Int", range_spec=RangeSpec(min=0, max=10, step=1, step_type="int")),
        FloatInput(name="a_float", display_name="Float"),
        BoolInput(name="a_bool", display_name="Bool"),
        DropdownInput(name="a_dropdown", display_name="Dropdown", options=["x", "y"]),
        MultiselectInput(name="a_multi", display_name="Multi", options=["x", "y", "z"], value=["x"]),
        TabInput(name="a_tab", display_name="Tab", options=["l", "r"], value="l"),
        DictInput(name="a_dict", display_name="Dict"),
        NestedDictInput(name="a_nested", display_name="Nested"),
        TableInput(name="a_table", display_name="Table"),
        HandleInput(name="a_handle", display_name="Handle", input_types=["LanguageModel"]),
        DataInput(name="a_data", display_name="Data"),
        DataFrameInput(name="a_df", display_name="DataFrame"),
        FileInput(name="a_file", display_name="File", file_types=["txt", "csv"]),
        PromptInput(name="a_prompt", display_name="Prompt"),
        CodeInput(name="a_code", display_name="Code"),
        LinkInput(name="a_link", display_name="Link", value="https://example.org", text="Open"),
        SliderInput(name="a_slider", display_name="Slider", value=0.3, range_spec=RangeSpec(min=0, max=1, step=0.1)),
    ]
    outputs = [Output(name="out", display_name="Out", method="collect")]

    def collect(self) -> Data:
        return Data(data={"int": self.a_int, "float": self.a_float, "bool": self.a_bool, "multi": self.a_multi, "slider": self.a_slider, "str": self.a_str, "text": self.a_text, "dict": self.a_dict, "nested": self.a_nested})
