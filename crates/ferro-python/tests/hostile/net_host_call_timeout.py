# expect: error
# about: Asks the host to wait for a year.
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import _host
        import json
        while True:
            _host.call(json.dumps({"ask": "http", "method": "GET", "url": "https://example.com/", "headers": [], "body": None, "body_b64": None, "timeout": 31536000, "follow": True}))
