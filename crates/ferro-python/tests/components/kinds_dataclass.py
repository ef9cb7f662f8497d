from dataclasses import asdict, dataclass, field, replace
from typing import ClassVar

from langflow.custom import Component
from langflow.io import FloatInput, MessageTextInput, Output
from langflow.schema import Data


@dataclass(order=True)
class Line:
    price: float
    name: str = field(compare=False)
    tags: list[str] = field(default_factory=list, compare=False)
    currency: ClassVar[str] = "EUR"

    def __post_init__(self):
        if self.price < 0:
            raise ValueError(f"{self.name}: price below zero")


@dataclass(frozen=True)
class Basket:
    lines: tuple[Line, ...] = ()

    def add(self, line: Line) -> "Basket":
        return replace(self, lines=(*self.lines, line))

    @property
    def total(self) -> float:
        return sum(line.price for line in self.lines)


class BasketComponent(Component):
    display_name = "Basket"
    inputs = [
        MessageTextInput(name="names", display_name="Names", is_list=True, value=["tea", "jam"]),
        FloatInput(name="price", display_name="First price", value=2.5),
    ]
    outputs = [Output(name="basket", display_name="Basket", method="fill")]

    def fill(self) -> Data:
        basket = Basket()
        for i, name in enumerate(self.names):
            basket = basket.add(Line(self.price * (i + 1), name, ["x"] * i))
        return Data(data={"total": basket.total, "dearest": asdict(max(basket.lines)), "as_is": basket.lines[0], "currency": Line.currency})
