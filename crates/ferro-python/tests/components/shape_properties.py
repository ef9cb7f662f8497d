from contextlib import contextmanager, suppress

from lfx.custom.custom_component.component import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.data import Data


class Temperature:
    def __init__(self, celsius: float):
        self.celsius = celsius

    @property
    def fahrenheit(self) -> float:
        return self.celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value: float):
        self.celsius = (value - 32) * 5 / 9

    def __repr__(self):
        return f"{self.celsius:.1f}°C"

    def __eq__(self, other):
        return isinstance(other, Temperature) and self.celsius == other.celsius

    def __lt__(self, other):
        return self.celsius < other.celsius


class Thermo(Component):
    display_name = "Thermometer"
    inputs = [MessageTextInput(name="value", display_name="Value", value="100C")]
    outputs = [Output(name="out", display_name="Out", method="convert")]

    @contextmanager
    def _noted(self, notes):
        notes.append("in")
        yield
        notes.append("out")

    @staticmethod
    def _parse(text: str) -> Temperature:
        number, unit = float(text[:-1]), text[-1].upper()
        t = Temperature(0)
        if unit == "F":
            t.fahrenheit = number
        else:
            t.celsius = number
        return t

    def convert(self) -> Data:
        notes: list[str] = []
        with self._noted(notes), suppress(ZeroDivisionError):
            1 / 0
        t = self._parse(self.value)
        return Data(data={"c": round(t.celsius, 2), "f": round(t.fahrenheit, 2), "repr": repr(t), "notes": notes, "warm": Temperature(20) < t, "raw": t})
