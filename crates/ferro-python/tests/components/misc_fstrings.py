from langflow.custom import Component
from langflow.io import FloatInput, MessageTextInput, Output
from langflow.schema.message import Message


class Format(Component):
    display_name = 'Format'
    inputs = [MessageTextInput(name='name', display_name='Name', value="O'Neil"), FloatInput(name='amount', display_name='Amount', value=1234567.891)]
    outputs = [Output(name='out', display_name='Out', method='fmt')]

    def fmt(self) -> Message:
        width = 12
        rows = {"left": f"{self.name:<{width}}|", "num": f"{self.amount:>{width},.1f}|", "pct": f"{0.1234:.1%}", "hex": f"{255:#06x}", "sci": f"{self.amount:.2e}", "eq": f"{width=}", "conv": f"{self.name!r:^12}", "date": "%05.1f" % 3.14159, "nest": "{0[k]} {1.imag}".format({"k": "v"}, 2j)}
        return Message(text="\n".join(f"{k}: {v}" for k, v in rows.items()))
