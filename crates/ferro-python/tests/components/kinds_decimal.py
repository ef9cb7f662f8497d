from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction

from langflow.custom import Component
from langflow.io import MessageTextInput, Output
from langflow.schema import Data

CENT = Decimal("0.01")


class Invoice(Component):
    display_name = "Invoice"
    inputs = [
        MessageTextInput(name="amounts", display_name="Amounts", is_list=True, value=["0.10", "0.20"]),
        MessageTextInput(name="vat", display_name="VAT %", value="19"),
    ]
    outputs = [Output(name="total", display_name="Total", method="total")]

    def total(self) -> Data:
        try:
            net = sum((Decimal(a) for a in self.amounts), Decimal(0))
            vat = (net * Decimal(self.vat) / 100).quantize(CENT, rounding=ROUND_HALF_UP)
        except InvalidOperation as e:
            raise ValueError("an amount is not a number") from e
        return Data(data={"net": str(net), "vat": str(vat), "gross": f"{net + vat:.2f}", "exact": net == Decimal("0.3"), "share": str(Fraction(vat) / Fraction(net)) if net else None})
