# expect: contained
# about: Turning the result into text sends events and asks the host.
# returns: "held"
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import _host
        class Late:
            def __str__(self):
                _host.event('{"event":"log","name":"late","message":"x"}')
                _host.call('{"ask":"variable","name":"X"}')
                return "held"
            __repr__ = __str__
        return Late()
