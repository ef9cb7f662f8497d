from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema import Message


class Switch(Component):
    display_name = "Switch"
    inputs = [IntInput(name="nr", display_name="Number", value=1), MessageTextInput(name="text", display_name="Text", value="t")]
    outputs = [
        Output(name="small", display_name="Small", method="small", group_outputs=True),
        Output(name="medium", display_name="Medium", method="medium", group_outputs=True),
        Output(name="large", display_name="Large", method="large", group_outputs=True),
    ]

    def _only(self, wanted: str) -> Message:
        kind = "small" if self.nr < 10 else "medium" if self.nr < 100 else "large"
        for name in {"small", "medium", "large"} - {kind}:
            self.stop(name)
        return Message(text=f"{wanted}: {self.text}") if wanted == kind else Message(text="")

    def small(self) -> Message:
        return self._only("small")

    def medium(self) -> Message:
        return self._only("medium")

    def large(self) -> Message:
        return self._only("large")
