"""Executors that run what they are given at once: a worker has one thread, and one line to the host."""

_installed = False


class InlineFuture:
    """A future that is done when it is made."""

    def __init__(self, function, args, kwargs):
        self._result = self._error = None
        try:
            self._result = function(*args, **kwargs)
        except Exception as error:
            self._error = error

    def result(self, timeout=None):
        if self._error is not None:
            raise self._error
        return self._result

    def exception(self, timeout=None):
        return self._error

    def done(self):
        return True

    def running(self):
        return False

    def cancelled(self):
        return False

    def cancel(self):
        return False

    def add_done_callback(self, function):
        function(self)


class InlineExecutor:
    def __init__(self, max_workers=None, *_args, initializer=None, initargs=(), **_options):
        self._max_workers = max_workers or 1
        self._closed = False
        if initializer is not None:
            initializer(*initargs)

    def submit(self, fn, /, *args, **kwargs):
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        return InlineFuture(fn, args, kwargs)

    def map(self, fn, *iterables, timeout=None, chunksize=1, buffersize=None):
        made = [self.submit(fn, *args) for args in zip(*iterables)]
        return (future.result() for future in made)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._closed = True

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        self.shutdown()
        return False


def _as_completed(futures, timeout=None):
    return iter(list(futures))


def install():
    """Gives `concurrent.futures` executors without threads."""
    global _installed
    if _installed:
        return
    _installed = True
    import concurrent.futures as futures

    def wait(fs, timeout=None, return_when=futures.ALL_COMPLETED):
        return futures._base.DoneAndNotDoneFutures(set(fs), set())

    futures.ThreadPoolExecutor = futures.ProcessPoolExecutor = InlineExecutor
    futures.as_completed = _as_completed
    futures.wait = wait
