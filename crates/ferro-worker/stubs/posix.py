"""What `os` needs to exist at all. Nothing here reaches a machine: there is none."""

import _host

environ = {}
_have_functions = []

F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
O_RDONLY, O_WRONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_TRUNC, O_CLOEXEC, O_NOFOLLOW = (
    0, 1, 2, 1024, 64, 128, 512, 524288, 131072,
)
O_NONBLOCK, O_DIRECTORY, O_SYNC = 2048, 65536, 1052672
EX_OK, EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_UNAVAILABLE, EX_SOFTWARE, EX_OSERR, EX_IOERR = 0, 64, 65, 66, 69, 70, 71, 74
WNOHANG, WUNTRACED = 1, 2
SEEK_DATA, SEEK_HOLE = 3, 4
P_WAIT, P_NOWAIT = 0, 1

error = OSError


class stat_result(tuple):
    n_sequence_fields = 10


class terminal_size(tuple):
    def __new__(cls, size):
        return tuple.__new__(cls, size)

    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])


class DirEntry:
    pass


class uname_result(tuple):
    sysname = property(lambda self: self[0])
    nodename = property(lambda self: self[1])
    release = property(lambda self: self[2])
    version = property(lambda self: self[3])
    machine = property(lambda self: self[4])


class times_result(tuple):
    pass


def _refused(name):
    def refused(*_args, **_kwargs):
        raise PermissionError(1, "components run without a file system and without other processes", name)

    refused.__name__ = name
    return refused


def _absent(name):
    def absent(path=None, *_args, **_kwargs):
        raise FileNotFoundError(2, "components run without a file system", path)

    absent.__name__ = name
    return absent


for _name in ("stat", "lstat", "open", "listdir", "scandir", "readlink", "chdir", "access_time", "statvfs", "utime"):
    globals()[_name] = _absent(_name)

for _name in (
    "fork", "forkpty", "execv", "execve", "spawnv", "spawnve", "system", "popen", "kill", "killpg", "waitpid", "wait",
    "remove", "unlink", "rmdir", "mkdir", "rename", "replace", "link", "symlink", "chmod", "chown", "truncate",
    "ftruncate", "mkfifo", "mknod", "pipe", "pipe2", "dup", "dup2", "read", "write", "close", "closerange", "fstat",
    "lseek", "fsync", "setuid", "setgid", "setsid", "setpgid", "nice", "putenv", "unsetenv", "umask", "sendfile",
    "posix_spawn", "posix_spawnp", "setpriority", "sched_setaffinity", "sched_setscheduler", "memfd_create",
    "pidfd_open", "unshare", "setns", "getxattr", "setxattr", "listxattr", "removexattr", "isatty_of", "openpty",
    "ttyname", "tcgetpgrp", "getlogin", "copy_file_range", "splice", "eventfd", "get_blocking", "set_blocking",
    "get_inheritable", "set_inheritable", "sync", "device_encoding", "fchdir", "chroot", "lchown", "fchmod", "fchown",
    "abort", "initgroups", "setgroups", "setresuid", "setresgid", "setreuid", "setregid", "seteuid", "setegid",
):
    globals()[_name] = _refused(_name)


def access(path, mode, **_kwargs):
    return False


def isatty(fd):
    return False


def getcwd():
    return "/"


def getcwdb():
    return b"/"


def getpid():
    return 1


def getppid():
    return 0


def getuid():
    return 65534


geteuid = getgid = getegid = getuid


def getpgid(_pid=0):
    return 0


def getgroups():
    return []


def cpu_count():
    return 1


def sched_getaffinity(_pid):
    return {0}


def getloadavg():
    return (0.0, 0.0, 0.0)


def uname():
    return uname_result(("Linux", "worker", "", "", ""))


def times():
    return times_result((0.0, 0.0, 0.0, 0.0, 0.0))


def get_terminal_size(*_args):
    return terminal_size((80, 24))


def strerror(code):
    return "error %d" % code


def urandom(size):
    return _host.urandom(size)


def getrandom(size, flags=0):
    return _host.urandom(size)


def fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    path_type = type(path)
    try:
        found = path_type.__fspath__(path)
    except AttributeError:
        raise TypeError("expected str, bytes or os.PathLike object, not " + path_type.__name__) from None
    if isinstance(found, (str, bytes)):
        return found
    raise TypeError("expected %s.__fspath__() to return str or bytes" % path_type.__name__)


def _exit(code=0):
    raise SystemExit(code)


def WIFSIGNALED(_status):
    return False


def WIFEXITED(_status):
    return True


def WEXITSTATUS(status):
    return status


def WTERMSIG(_status):
    return 0


def WIFSTOPPED(_status):
    return False


def WSTOPSIG(_status):
    return 0


def waitstatus_to_exitcode(status):
    return status


def register_at_fork(**_kwargs):
    pass


def _path_normpath(path):
    raise NotImplementedError


del _path_normpath
