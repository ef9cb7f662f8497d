from functools import cache, cached_property, lru_cache, partial, singledispatchmethod

from langflow.custom import Component
from langflow.io import IntInput, Output
from langflow.schema import Data


@lru_cache(maxsize=None)
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@cache
def power(base: int, exp: int) -> int:
    return base**exp


class Cached(Component):
    display_name = "Cached"
    inputs = [IntInput(name="n", display_name="N", value=90)]
    outputs = [Output(name="out", display_name="Out", method="out")]

    @cached_property
    def expensive(self) -> list[int]:
        self.log("computed")
        return [fib(i) for i in range(5)]

    @singledispatchmethod
    def show(self, value):
        return str(value)

    @show.register
    def _(self, value: int):
        return f"int {value}"

    @show.register
    def _(self, value: list):
        return f"list of {len(value)}"

    def out(self) -> Data:
        square = partial(power, exp=2)
        return Data(data={"fib": fib(self.n), "first": self.expensive, "again": self.expensive is self.expensive, "square": square(9), "shown": [self.show(1), self.show([1, 2]), self.show("s")]})
