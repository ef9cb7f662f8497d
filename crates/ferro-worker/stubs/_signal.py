"""There are no signals in a worker."""

SIGABRT, SIGALRM, SIGCHLD, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGKILL, SIGPIPE, SIGSEGV, SIGTERM, SIGUSR1, SIGUSR2 = (
    6, 14, 17, 8, 1, 4, 2, 9, 13, 11, 15, 10, 12,
)
SIG_DFL, SIG_IGN = 0, 1
NSIG = 65


def default_int_handler(_number, _frame):
    raise KeyboardInterrupt


def signal(_number, _handler):
    raise ValueError("a component cannot handle signals")


def getsignal(_number):
    return SIG_DFL


def _refused(*_args, **_kwargs):
    raise PermissionError(1, "a component cannot send or wait for signals")


alarm = raise_signal = setitimer = getitimer = pause = pthread_kill = siginterrupt = _refused
sigpending = sigwait = pthread_sigmask = _refused


def set_wakeup_fd(_fd, **_kwargs):
    return -1


def strsignal(number):
    return "signal %d" % number


def valid_signals():
    return set()
