# expect: contained
# about: A module-level __getattr__ answers for names the runtime asks for.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output

ASKED = []


def __getattr__(name):
    ASKED.append(name)
    import io

    return io.open("@SECRET@").read()


def __dir__():
    return ["a" * 1000] * 100_000


class Hostile(Component):
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        return "held"
