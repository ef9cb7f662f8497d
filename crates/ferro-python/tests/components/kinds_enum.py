from enum import Enum, IntEnum, StrEnum, auto

from lfx.custom import Component
from lfx.io import DropdownInput, Output
from lfx.schema import Data


class Color(str, Enum):
    RED = "red"
    GREEN = "green"

    @classmethod
    def names(cls) -> list[str]:
        return [c.value for c in cls]


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Mode(StrEnum):
    FAST = auto()
    SLOW = auto()


class EnumUser(Component):
    display_name = "Enum User"
    inputs = [
        DropdownInput(name="color", display_name="Color", options=Color.names(), value=Color.RED.value),
        DropdownInput(name="mode", display_name="Mode", options=[m.value for m in Mode], value=Mode.FAST),
    ]
    outputs = [Output(name="out", display_name="Out", method="out")]

    def out(self) -> Data:
        color = Color(self.color)
        return Data(data={"color": color, "level": Level.HIGH if color is Color.RED else Level.LOW, "mode": Mode(self.mode), "name": color.name, "all": list(Mode)})
