# expect: contained
# about: The code that changes the form attacks, when a field is touched.
# returns: "held"
# note: the runner also sends an update of the field `kind`
from lfx.custom import Component
from lfx.io import DropdownInput, Output


class Hostile(Component):
    inputs = [DropdownInput(name="kind", display_name="Kind", options=["a", "b"], value="a", real_time_refresh=True)]
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def update_build_config(self, build_config, field_value, field_name=None):
        try:
            import io

            build_config["kind"]["info"] = "LE" "AK: " + io.open("@SECRET@").read()
        except BaseException:
            build_config["kind"]["info"] = "held"
        build_config["x" * 100_000] = {"value": object(), "type": "Live", "$type": "Live"}
        build_config["self"] = build_config
        return build_config

    def attack(self) -> str:
        return "held"
