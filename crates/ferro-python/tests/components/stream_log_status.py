import logging

from langflow.custom import Component
from langflow.io import IntInput, Output
from langflow.logging import logger
from langflow.schema import Data

log = logging.getLogger(__name__)


class Chatty(Component):
    display_name = "Chatty"
    inputs = [IntInput(name="n", display_name="N", value=2)]
    outputs = [Output(name="out", display_name="Out", method="talk")]

    def talk(self) -> Data:
        print("plain print", 1, sep="-")
        for i in range(self.n):
            self.log({"step": i}, name="steps")
        self.log("done")
        logger.info("a log line")
        log.warning("another %s", "line")
        self.status = {"n": self.n}
        return Data(data={"said": self.n + 2})
