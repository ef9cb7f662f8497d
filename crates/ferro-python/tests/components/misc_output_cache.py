from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema import Data, Message


class LoopBody(Component):
    display_name = "Loop"
    icon = "infinity"
    legacy = True
    inputs = [MessageTextInput(name="items", display_name="Items", is_list=True, value=["a", "b", "c"])]
    outputs = [
        Output(name="item", display_name="Item", method="item_output", allows_loop=True, loop_types=["Message"], group_outputs=True),
        Output(name="done", display_name="Done", method="done_output", cache=False, hidden=False, required_inputs=["items"]),
    ]

    def item_output(self) -> Data:
        first, *rest = self.items
        return Data(data={"text": first, "left": len(rest)})

    def done_output(self) -> Message:
        return Message(text="+".join(self.items))
