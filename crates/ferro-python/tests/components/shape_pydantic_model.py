from typing import List, Optional

from langflow.custom import Component
from langflow.io import DataInput, Output
from langflow.schema import Data
from pydantic import BaseModel, Field, ValidationError


class Item(BaseModel):
    name: str
    qty: int = 1


class Order(BaseModel):
    id: int = Field(..., description="The id")
    note: Optional[str] = None
    items: List[Item] = Field(default_factory=list)


class ReadOrder(Component):
    display_name = "Read Order"
    inputs = [DataInput(name="data", display_name="Data")]
    outputs = [Output(name="order", display_name="Order", method="read_order")]

    def read_order(self) -> Data:
        try:
            order = Order(**self.data.data)
        except ValidationError as e:
            return Data(data={"errors": len(e.errors())})
        return Data(data={"order": order.model_dump(), "n": sum(i.qty for i in order.items), "fields": sorted(Order.model_fields)})
