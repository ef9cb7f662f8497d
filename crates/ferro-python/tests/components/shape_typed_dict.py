from typing import Final, Generic, NamedTuple, NotRequired, Protocol, TypedDict, TypeVar

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema import Data

T = TypeVar("T")
LIMIT: Final = 3


class Person(TypedDict):
    name: str
    age: NotRequired[int]


class Score(NamedTuple):
    who: str
    points: int = 0


class Named(Protocol):
    who: str


class Stack(Generic[T]):
    def __init__(self) -> None:
        self._items: list[T] = []

    def push(self, item: T) -> "Stack[T]":
        self._items.append(item)
        return self

    def __iter__(self):
        return iter(self._items[:LIMIT])


class People(Component):
    display_name = "People"
    inputs = [MessageTextInput(name="lines", display_name="Lines", is_list=True, value=["Ana:30", "Bo"])]
    outputs = [Output(name="people", display_name="People", method="people")]

    def people(self) -> Data:
        stack: Stack[Person] = Stack()
        for line in self.lines:
            name, _, age = line.partition(":")
            person: Person = {"name": name}
            if age:
                person["age"] = int(age)
            stack.push(person)
        best: Named = max((Score(p["name"], p.get("age", 0)) for p in stack), key=lambda s: s.points)
        return Data(data={"people": list(stack), "best": best.who, "score": best})
