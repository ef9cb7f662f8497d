# expect: error
# about: Streams tokens without end.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output

from lfx.schema.message import Message

class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        def words():
            while True:
                yield "word "
        return Message(text=words())
