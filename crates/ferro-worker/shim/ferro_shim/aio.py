"""asyncio without selectors, sockets or threads: one loop that only sleeps."""

import sys
import time

_loop = None
_used = False
_installed = False


def is_running():
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None


def run(awaitable):
    """Runs an awaitable to its end on the worker's own loop."""
    global _loop, _used
    _used = True
    asyncio = install()
    if asyncio._get_running_loop() is not None:
        return _drive(awaitable)
    if _loop is None or _loop.is_closed():
        _loop = new_loop()
    return _loop.run_until_complete(_as_coroutine(awaitable))


def _drive(awaitable):
    """Inside a running loop only what never waits can be finished on the spot."""
    steps = awaitable.__await__()
    try:
        next(steps)
    except StopIteration as done:
        return done.value
    raise RuntimeError("This waits for something and was called from async code: use `await`.")


async def _as_coroutine(awaitable):
    return await awaitable


def end_request():
    """Tasks that a component left behind do not reach the next request."""
    global _loop, _used
    if not _used:
        return
    _used = False
    if _loop is None or _loop.is_closed():
        return
    asyncio = sys.modules["asyncio"]
    left = [t for t in asyncio.all_tasks(_loop) if not t.done()]
    if left or _loop._scheduled:
        for task in left:
            task.cancel()
        loop, _loop = _loop, None
        if left:
            loop._left_alone = True
            loop.run_until_complete(_settle(asyncio, left))
        loop.close()


async def _settle(asyncio, tasks):
    # A task that catches its cancellation and goes on is dropped with its loop.
    for _ in range(3):
        await asyncio.sleep(0)
        for task in tasks:
            if not task.done():
                task.cancel()


class _Sleeper:
    """What the base loop takes for its selector: nothing ever becomes ready but time."""

    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("The code waits for something that will never happen.")
        if timeout > 0:
            time.sleep(timeout)
        return []

    def close(self):
        pass


def _make_class():
    from asyncio import base_events

    class SleepingLoop(base_events.BaseEventLoop):
        def __init__(self):
            super().__init__()
            self._selector = _Sleeper()

        def _process_events(self, event_list):
            pass

        def _write_to_self(self):
            pass

        def call_exception_handler(self, context):
            if not getattr(self, "_left_alone", False):
                exc = context.get("exception")
                print(f"asyncio: {context.get('message')}" + (f" ({exc!r})" if exc else ""))

        def run_in_executor(self, executor, func, *args):
            future = self.create_future()
            try:
                future.set_result(func(*args))
            except StopIteration as error:
                future.set_exception(RuntimeError(f"the function raised {error!r}"))
            except Exception as error:
                future.set_exception(error)
            return future

        async def shutdown_default_executor(self, timeout=None):
            pass

        def add_signal_handler(self, sig, callback, *args):
            raise NotImplementedError("a worker has no signals")

    return SleepingLoop


_class = None


def new_loop():
    global _class
    if _class is None:
        _class = _make_class()
    return _class()


def install():
    """Imports asyncio once and gives it our loop."""
    global _installed
    import asyncio

    if _installed:
        return asyncio
    _installed = True
    from asyncio import events

    def run_main(main, *, debug=None, loop_factory=None):
        if asyncio._get_running_loop() is not None:
            if hasattr(main, "close"):
                main.close()
            raise RuntimeError("asyncio.run() cannot be called from a running event loop; use `await`.")
        if not asyncio.iscoroutine(main):
            raise ValueError(f"a coroutine was expected, got {main!r}")
        loop = new_loop()
        try:
            return loop.run_until_complete(main)
        finally:
            for task in asyncio.all_tasks(loop):
                task.cancel()
            loop._left_alone = True
            loop.run_until_complete(_settle(asyncio, list(asyncio.all_tasks(loop))))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    def get_event_loop():
        global _loop, _used
        _used = True
        running = asyncio._get_running_loop()
        if running is not None:
            return running
        if _loop is None or _loop.is_closed():
            _loop = new_loop()
        return _loop

    async def to_thread(func, /, *args, **kwargs):
        return func(*args, **kwargs)

    for module in (asyncio, events):
        module.new_event_loop = new_loop
        module.get_event_loop = get_event_loop
    asyncio.run = run_main
    asyncio.runners.run = run_main
    asyncio.to_thread = to_thread
    if hasattr(asyncio, "threads"):
        asyncio.threads.to_thread = to_thread
    return asyncio
