# expect: error
# about: Loops again in finally and in __exit__.
# seconds: 2
from lfx.custom import Component
from lfx.io import Output


class Hostile(Component):
    display_name = "Hostile"
    outputs = [Output(name="out", display_name="Out", method="attack")]

    def attack(self):
        import time
        end = time.monotonic() + 60
        class Stubborn:
            def __enter__(self):
                return self
            def __exit__(self, *exc):
                while time.monotonic() < end:
                    pass
                return True
        try:
            with Stubborn():
                raise ValueError
        finally:
            while time.monotonic() < end:
                pass
