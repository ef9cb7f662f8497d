"""Nothing to wait for: a worker has no sockets or pipes that components could know."""

error = OSError
PIPE_BUF = 4096


def select(_read, _write, _other, timeout=None):
    if timeout:
        import time

        time.sleep(timeout)
    return [], [], []
