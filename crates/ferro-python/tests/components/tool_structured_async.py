import asyncio
from typing import Literal, Optional

from langchain_core.tools import StructuredTool
from lfx.base.langchain_utilities.model import LCToolComponent
from lfx.field_typing import Tool
from lfx.io import DropdownInput, Output, StrInput
from pydantic import BaseModel, Field


class SearchArgs(BaseModel):
    query: str = Field(description="What to look for")
    limit: Optional[int] = Field(default=3, description="How many")
    order: Literal["asc", "desc"] = Field(default="asc")


CATALOG = ["apple", "apricot", "banana", "blackberry", "avocado"]


class CatalogSearch(LCToolComponent):
    display_name = "Catalog Search"
    inputs = [StrInput(name="tool_name", display_name="Tool name", value="catalog_search")]
    outputs = [Output(name="tool", display_name="Tool", method="build_tool")]

    def build_tool(self) -> Tool:
        async def search(query: str, limit: int = 3, order: str = "asc") -> list[str]:
            await asyncio.sleep(0)
            hits = sorted((c for c in CATALOG if c.startswith(query)), reverse=order == "desc")
            return hits[:limit]

        return StructuredTool.from_function(
            coroutine=search,
            name=self.tool_name,
            description="Search the catalog by prefix.",
            args_schema=SearchArgs,
        )

    def run_model(self):
        return []
