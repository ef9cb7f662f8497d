# expect: contained
# about: logging.config calls any function that is named in it.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self) -> str:
        try:
            loot = self.go()
        except BaseException:
            return "held"
        return "LE" "AK: " + str(loot)[:200] if loot else "held"

    def go(self):
        import logging.config
        logging.config.dictConfig({"version": 1, "handlers": {"h": {"class": "logging.FileHandler", "filename": "@DIR@/log"}}, "root": {"handlers": ["h"]}})
        logging.warning("x")
        return None
