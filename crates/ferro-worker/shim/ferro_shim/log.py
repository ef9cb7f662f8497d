"""A logger whose lines become log events, under the names components import."""

from .events import emit


class Logger:
    name = "component"
    level = 0
    handlers = ()

    def __init__(self, name="log", bound=None):
        self.name = name
        self._bound = bound or {}

    def _say(self, level, message, args, fields):
        text = str(message)
        if args:
            try:
                text = text % args if "%" in text else text.format(*args)
            except (TypeError, ValueError, IndexError, KeyError):
                text = f"{text} {args}"
        elif fields and "{" in text:
            try:
                text = text.format(**fields)
            except (KeyError, ValueError, IndexError):
                pass
        emit({"event": "log", "name": level, "message": text[:8000]})

    def bind(self, **fields):
        return Logger(self.name, {**self._bound, **fields})

    def opt(self, *_args, **_options):
        return self

    def getChild(self, name):  # noqa: N802 - the name of logging
        return Logger(name)

    def contextualize(self, **_fields):
        import contextlib

        return contextlib.nullcontext()

    def add(self, *_args, **_options):
        return 0

    def remove(self, *_args):
        pass

    def setLevel(self, *_args):  # noqa: N802 - the name of logging
        pass

    def isEnabledFor(self, _level):  # noqa: N802 - the name of logging
        return True

    def catch(self, *args, **_options):
        return args[0] if args and callable(args[0]) else (lambda function: function)

    def log(self, level, message, *args, **fields):
        self._say(str(level).lower(), message, args, fields)


def _levels():
    async def done():
        return None

    for level in ("trace", "debug", "info", "success", "warning", "error", "critical", "exception"):

        def say(self, message="", *args, level=level, **fields):
            self._say(level, message, args, fields)

        async def asay(self, message="", *args, level=level, **fields):
            self._say(level, message, args, fields)

        setattr(Logger, level, say)
        setattr(Logger, "a" + level, asay)
    Logger.warn = Logger.warning


_levels()
logger = Logger()


def configure(*_args, **_options):
    pass


def get_logger(*_args, **_options):
    return logger


getLogger = get_logger  # noqa: N816 - the name of logging
