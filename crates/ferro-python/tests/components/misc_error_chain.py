from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema import Data


class LookupFailed(Exception):
    """Our own error."""

    def __init__(self, key: str):
        super().__init__(f"no entry for {key}")
        self.key = key


TABLE = {"a": 1}


def lookup(key):
    try:
        return TABLE[key]
    except KeyError as e:
        raise LookupFailed(key) from e


class Failing(Component):
    display_name = "Failing"
    inputs = [MessageTextInput(name="key", display_name="Key", value="a")]
    outputs = [Output(name="out", display_name="Out", method="go")]

    def go(self) -> Data:
        return Data(data={"found": lookup(self.key)})
