# expect: error
# about: A decimal with a precision that asks for all of the memory.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import decimal
        decimal.getcontext().prec = 10 ** 8
        return str(len(str(decimal.Decimal(1) / decimal.Decimal(7) ** decimal.Decimal("0.5"))))
