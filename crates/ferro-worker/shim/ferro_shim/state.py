"""What belongs to the request being handled; replaced with each one."""


class Request:
    """The run a component is part of, and which of its branches are not taken."""

    def __init__(self, context=None, quiet=False):
        self.context = context or {}
        self.stopped = []
        self.shared = {}
        # As a tool a component's own messages are not shown.
        self.quiet = quiet
        self.logs = 0

    def get(self, key):
        return self.context.get(key)


current = Request()


def begin(context=None):
    global current
    current = Request(context)
    return current


def now():
    return current
