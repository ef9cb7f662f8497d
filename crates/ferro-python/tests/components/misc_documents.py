from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langflow.custom import Component
from langflow.io import MultilineInput, Output
from langflow.schema import Data


class Documents(Component):
    display_name = "Documents"
    inputs = [MultilineInput(name="text", display_name="Text", value="first\n\nsecond")]
    outputs = [Output(name="docs", display_name="Documents", method="docs"), Output(name="chat", display_name="Chat", method="chat")]

    def docs(self) -> list[Data]:
        found = [Document(page_content=p, metadata={"nr": i}) for i, p in enumerate(self.text.split("\n\n"))]
        return [Data.from_document(d) if hasattr(Data, "from_document") else Data(text=d.page_content, **d.metadata) for d in found]

    def chat(self) -> Data:
        history = [SystemMessage(content="s"), HumanMessage(content=self.text), AIMessage(content="ok")]
        return Data(data={"roles": [m.type for m in history], "last": history[-1].content})
