from langflow.custom import Component
from langflow.field_typing import LanguageModel
from langflow.io import HandleInput, MessageTextInput, Output
from langflow.schema.message import Message


class AskModel(Component):
    display_name = "Ask Model"
    description = "Asks the model that is wired to it."
    inputs = [
        HandleInput(name="llm", display_name="Language Model", input_types=["LanguageModel"], required=True),
        MessageTextInput(name="question", display_name="Question", value="why?"),
    ]
    outputs = [Output(name="answer", display_name="Answer", method="ask")]

    def ask(self) -> Message:
        model: LanguageModel = self.llm
        reply = model.invoke([("system", "Be brief."), ("human", self.question)])
        return Message(text=reply.content.strip())
