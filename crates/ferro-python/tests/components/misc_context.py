from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema import Data


class WhereAmI(Component):
    display_name = "Where Am I"
    inputs = [MessageTextInput(name="text", display_name="Text", value="x")]
    outputs = [Output(name="out", display_name="Out", method="where"), Output(name="ctx", display_name="Ctx", method="use_ctx")]

    def where(self) -> Data:
        return Data(data={"session": self.graph.session_id, "flow": str(self.graph.flow_id), "node": self._id, "shown": self.display_name})

    def use_ctx(self) -> Data:
        self.update_ctx({"seen": self.text})
        return Data(data={"seen": self.ctx.get("seen"), "other": self.ctx.get("other", "none")})
