# expect: error
# about: Outputs that take the names the tool mode lives by.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    outputs = [Output(name="component_as_tool", display_name="Out", method="to_toolkit")]

    def to_toolkit(self) -> str:
        raise RuntimeError("took the place of the toolkit")
