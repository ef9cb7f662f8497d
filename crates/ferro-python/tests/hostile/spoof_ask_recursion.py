# expect: contained
# about: Asks the host from inside a result that is being encoded, again and again.
# returns: ["held", "held", "held"]
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import _host
        class Deep:
            def __str__(self):
                for _ in range(1000):
                    _host.call('{"ask":"variable","name":"X"}')
                return "held"
            __repr__ = __str__
        return [Deep() for _ in range(3)]
