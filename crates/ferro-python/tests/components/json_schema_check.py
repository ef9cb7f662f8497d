from __future__ import annotations

from lfx.custom.custom_component.component import Component
from lfx.io import DataInput, NestedDictInput, Output
from lfx.schema.data import Data

KINDS = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


class CheckSchema(Component):
    display_name = "Check Schema"
    description = "A small JSON schema checker: type, required, properties, items, enum, minimum."

    inputs = [
        DataInput(name="data", display_name="Data"),
        NestedDictInput(
            name="schema",
            display_name="Schema",
            value={"type": "object", "required": ["id"], "properties": {"id": {"type": "integer", "minimum": 1}}},
        ),
    ]
    outputs = [Output(name="report", display_name="Report", method="check")]

    def check(self) -> Data:
        problems = list(self._walk(self.data.data, self.schema, "$"))
        return Data(data={"valid": not problems, "problems": problems})

    def _walk(self, value, schema, at):
        kind = schema.get("type")
        if kind:
            ok = isinstance(value, KINDS[kind]) and not (isinstance(value, bool) and kind in ("integer", "number"))
            if not ok:
                yield f"{at}: not a {kind}"
                return
        if "enum" in schema and value not in schema["enum"]:
            yield f"{at}: not one of {schema['enum']}"
        if "minimum" in schema and value < schema["minimum"]:
            yield f"{at}: below {schema['minimum']}"
        if isinstance(value, dict):
            for key in schema.get("required", []):
                if key not in value:
                    yield f"{at}: {key} is missing"
            for key, sub in schema.get("properties", {}).items():
                if key in value:
                    yield from self._walk(value[key], sub, f"{at}.{key}")
        if isinstance(value, list) and (sub := schema.get("items")):
            for i, item in enumerate(value):
                yield from self._walk(item, sub, f"{at}[{i}]")
