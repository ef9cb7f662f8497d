# Not a hostile program: runs after each of them, and finds whether one has left something behind.
import builtins
import decimal
import json
import math
import random
import sys

import requests
from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class Control(Component):
    display_name = "Control"
    inputs = [MessageTextInput(name="text", display_name="Text", value="control")]
    outputs = [Output(name="out", display_name="Out", method="look")]

    def look(self) -> Message:
        checks = {
            "text": self.text == "control 1",
            "builtins": len([1, 2]) == 2 and str(5) == "5" and not isinstance(5, str) and not hasattr(builtins, "FERRO_POISON"),
            "types": "a".upper() == "A" and 1 + 1 == 2 and {"k": 1}.get("k") == 1 and not hasattr(None, "x"),
            "json": json.loads(json.dumps({"a": [1]})) == {"a": [1]},
            "math": math.pi > 3.1 and decimal.getcontext().prec == 28,
            "random": random.random() != random.random(),
            "sys": not hasattr(sys, "ferro_poison") and "ferro_poison" not in sys.path and sys.getrecursionlimit() > 200,
            "message": Message(text="m").text == "m" and Message(text="m").get_text() == "m",
            "requests": requests.get.__module__ != type(self).__module__,
        }
        bad = [name for name, good in checks.items() if not good]
        self.log("control was here")
        return Message(text="clean" if not bad else "poisoned: " + ", ".join(bad))
