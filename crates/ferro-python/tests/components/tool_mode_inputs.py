from lfx.custom.custom_component.component import Component
from lfx.io import BoolInput, DropdownInput, FloatInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class UnitConverter(Component):
    display_name = "Unit Converter"
    description = "Converts lengths between units."
    icon = "ruler"

    FACTORS = {"m": 1.0, "km": 1000.0, "ft": 0.3048, "mi": 1609.344}

    inputs = [
        FloatInput(name="amount", display_name="Amount", tool_mode=True, info="How much"),
        DropdownInput(name="source", display_name="From", options=["m", "km", "ft", "mi"], value="m", tool_mode=True),
        DropdownInput(name="target", display_name="To", options=["m", "km", "ft", "mi"], value="km", tool_mode=True),
        BoolInput(name="short", display_name="Short", value=False, advanced=True),
    ]
    outputs = [
        Output(name="converted", display_name="Converted", method="convert_length", info="Converts a length."),
        Output(name="sentence", display_name="Sentence", method="say_length", tool_mode=False),
    ]

    def _value(self) -> float:
        return self.amount * self.FACTORS[self.source] / self.FACTORS[self.target]

    def convert_length(self) -> Data:
        return Data(data={"value": round(self._value(), 4), "unit": self.target})

    def say_length(self) -> Message:
        if self.short:
            return Message(text=f"{self._value():g}{self.target}")
        return Message(text=f"{self.amount:g} {self.source} is {self._value():,.2f} {self.target}")
