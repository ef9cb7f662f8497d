# -*- coding: utf-8 -*-
from lfx.custom.custom_component.component import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class Grüße(Component):
    display_name = "Grüße 👋"
    description = "Begrüßt — auch auf 한국어."

    inputs = [MessageTextInput(name="größe", display_name="Größe", value="groß")]
    outputs = [Output(name="gruß", display_name="Gruß", method="grüßen")]

    def grüßen(self) -> Message:
        wert = self.größe
        return Message(text=f"{wert}·{wert[::-1]}·{len(wert)}·{'👨‍👩‍👧'}·{wert:>6}")
