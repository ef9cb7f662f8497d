import ast
import operator

from langflow.base.langchain_utilities.model import LCToolComponent
from langflow.field_typing import Tool
from langflow.inputs import MessageTextInput
from langflow.schema import Data
from langchain.tools import StructuredTool
from langchain_core.tools import ToolException
from pydantic import BaseModel, Field


class CalculatorTool(LCToolComponent):
    display_name = "Calculator"
    description = "Evaluates basic arithmetic expressions."
    icon = "calculator"
    name = "CalculatorTool"

    inputs = [
        MessageTextInput(name="expression", display_name="Expression", info="The expression (e.g. '4*4*(33/22)+12-20').")
    ]

    class CalculatorSchema(BaseModel):
        expression: str = Field(..., description="The arithmetic expression to evaluate.")

    def run_model(self) -> list[Data]:
        return self._evaluate(self.expression)

    def build_tool(self) -> Tool:
        return StructuredTool.from_function(
            name="calculator",
            description="Evaluate an expression.",
            func=self._evaluate_text,
            args_schema=self.CalculatorSchema,
        )

    def _node(self, node):
        ops = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow}
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.BinOp):
            return ops[type(node.op)](self._node(node.left), self._node(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._node(node.operand)
        raise TypeError(f"unsupported: {type(node).__name__}")

    def _evaluate_text(self, expression: str) -> str:
        try:
            value = self._node(ast.parse(expression, mode="eval").body)
        except ZeroDivisionError as e:
            raise ToolException("division by zero") from e
        return f"{value:.6f}".rstrip("0").rstrip(".")

    def _evaluate(self, expression: str) -> list[Data]:
        result = self._evaluate_text(expression)
        self.status = result
        return [Data(data={"result": result})]
