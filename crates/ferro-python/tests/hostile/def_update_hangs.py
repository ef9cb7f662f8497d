# expect: error
# about: The code that changes the form never returns.
# note: the runner also sends an update of the field `kind`
from lfx.custom import Component
from lfx.io import DropdownInput, Output


class Hostile(Component):
    inputs = [DropdownInput(name="kind", display_name="Kind", options=["a", "b"], value="a", real_time_refresh=True)]
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def update_build_config(self, build_config, field_value, field_name=None):
        while True:
            pass

    async def attack(self) -> str:
        while True:
            pass
