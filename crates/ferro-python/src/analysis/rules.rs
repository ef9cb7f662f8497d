//! The denylist: which modules, names and attributes component code may not reach, and what to say about each.

/// Why something is refused. The name is part of what clients see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    Environment,
    File,
    Process,
    Code,
    Internals,
    Network,
    Lookup,
    Alias,
    Exit,
    Host,
}

impl Reason {
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Environment => "unsafe-environment",
            Self::File => "unsafe-file",
            Self::Process => "unsafe-process",
            Self::Code => "unsafe-code",
            Self::Internals => "unsafe-internals",
            Self::Network => "unsafe-network",
            Self::Lookup => "unsafe-lookup",
            Self::Alias => "unsafe-alias",
            Self::Exit => "unsafe-exit",
            Self::Host => "unsafe-host",
        }
    }

    const fn does(self) -> &'static str {
        match self {
            Self::Environment => "reads or changes the server's environment",
            Self::File => "reaches the server's files",
            Self::Process => "starts or controls processes on the server",
            Self::Code => "runs text or bytes as code",
            Self::Internals => "reaches into the interpreter",
            Self::Network => "opens connections of its own",
            Self::Lookup => "hides what is looked up",
            Self::Alias => "hides where a restricted module goes",
            Self::Exit => "ends the worker instead of the component",
            Self::Host => "talks to the server behind the component's back",
        }
    }

    const fn instead(self) -> &'static str {
        match self {
            Self::Environment => "Add a SecretStrInput or a variable instead.",
            Self::File => {
                "Add a FileInput and use its content, or keep the data in memory with io.BytesIO or io.StringIO."
            }
            Self::Process => "Do the work in Python, or call a service with requests or httpx.",
            Self::Code => "Use json, ast.literal_eval or a plain function instead.",
            Self::Internals => "Use the object's public methods and attributes instead.",
            Self::Network => "Use requests or httpx instead.",
            Self::Lookup => "Write the attribute out, for example os.path.join.",
            Self::Alias => "Use the module directly where it is needed.",
            Self::Exit => "Return a value, or raise an exception with a clear message.",
            Self::Host => "Use the methods of Component (self.log, self.status, requests) instead.",
        }
    }
}

/// `` `os.getenv` reads or changes the server's environment. Add a SecretStrInput or a variable instead. ``
pub(crate) fn message(what: &str, reason: Reason) -> String {
    format!("`{what}` {}. {}", reason.does(), reason.instead())
}

/// A module that may not be imported, by its whole name or a parent's.
pub(crate) fn import(module: &str) -> Option<Reason> {
    let root = module.split('.').next().unwrap_or(module);
    let whole = match root {
        "subprocess" | "pty" | "multiprocessing" | "_multiprocessing" | "_posixsubprocess" | "posix"
        | "nt" | "signal" | "_signal" | "webbrowser" | "pexpect" | "_winapi" | "resource" => {
            Some(Reason::Process)
        }
        "shutil" | "mmap" | "fcntl" | "msvcrt" | "winreg" | "fileinput" | "linecache" | "aiofiles"
        | "pwd" | "spwd" | "grp" | "_pyio" | "netrc" => Some(Reason::File),
        "ctypes"
        | "_ctypes"
        | "cffi"
        | "_cffi_backend"
        | "_imp"
        | "imp"
        | "_frozen_importlib"
        | "_frozen_importlib_external"
        | "zipimport"
        | "importlib"
        | "faulthandler"
        | "_testcapi"
        | "_testinternalcapi"
        | "_xxsubinterpreters"
        | "_interpreters" => Some(Reason::Internals),
        "pickle" | "_pickle" | "cPickle" | "shelve" | "marshal" | "code" | "codeop" | "compileall"
        | "py_compile" | "runpy" | "dill" | "cloudpickle" | "timeit" | "cProfile" | "profile" | "pdb"
        | "bdb" | "doctest" | "trace" => Some(Reason::Code),
        "socket" | "_socket" | "socketserver" | "ftplib" | "telnetlib" | "smtplib" | "poplib" | "imaplib"
        | "nntplib" | "xmlrpc" => Some(Reason::Network),
        "dotenv" => Some(Reason::Environment),
        "_host" | "ferro_shim" => Some(Reason::Host),
        "_io" => Some(Reason::File),
        _ => None,
    };
    if whole.is_some() {
        return whole;
    }
    let within = |name: &str| {
        module
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if [
        "urllib.request",
        "urllib.error",
        "http.client",
        "http.server",
        "logging.handlers",
    ]
    .into_iter()
    .any(within)
    {
        Some(Reason::Network)
    } else if within("logging.config") {
        Some(Reason::Code)
    } else if ["concurrent.futures.process", "asyncio.subprocess"]
        .into_iter()
        .any(within)
    {
        Some(Reason::Process)
    } else {
        None
    }
}

/// What is refused of a module that may be imported.
pub(crate) fn attribute(module: &str, name: &str) -> Option<Reason> {
    match module {
        "os" => os(name),
        "sys" => match name {
            "exit" => Some(Reason::Exit),
            "modules"
            | "_getframe"
            | "_current_frames"
            | "_current_exceptions"
            | "_getframemodulename"
            | "settrace"
            | "setprofile"
            | "addaudithook"
            | "meta_path"
            | "path_hooks"
            | "path_importer_cache"
            | "breakpointhook"
            | "__breakpointhook__"
            | "remote_exec" => Some(Reason::Internals),
            _ => None,
        },
        "builtins" => builtin(name),
        "os.path" | "posixpath" | "ntpath" => (name == "expandvars").then_some(Reason::Environment),
        "time" => matches!(name, "clock_settime" | "clock_settime_ns").then_some(Reason::Process),
        "tokenize" => (name == "open").then_some(Reason::File),
        "ssl" => {
            matches!(name, "get_server_certificate" | "SSLSocket" | "wrap_socket").then_some(Reason::Network)
        }
        "io" => matches!(name, "open" | "open_code" | "FileIO" | "OpenWrapper").then_some(Reason::File),
        "codecs" => (name == "open").then_some(Reason::File),
        "pathlib.Path()" => path_method(name),
        "pathlib.Path" | "pathlib.PosixPath" | "pathlib.WindowsPath" => path_method(name),
        "asyncio" => matches!(
            name,
            "create_subprocess_exec" | "create_subprocess_shell" | "subprocess"
        )
        .then_some(Reason::Process)
        .or_else(|| {
            matches!(
                name,
                "open_connection" | "start_server" | "open_unix_connection" | "start_unix_server"
            )
            .then_some(Reason::Network)
        }),
        "concurrent.futures" => (name == "ProcessPoolExecutor").then_some(Reason::Process),
        "inspect" => matches!(
            name,
            "currentframe" | "stack" | "trace" | "getouterframes" | "getinnerframes" | "getclosurevars"
        )
        .then_some(Reason::Internals),
        "gc" => matches!(
            name,
            "get_objects" | "get_referrers" | "get_referents" | "garbage" | "callbacks"
        )
        .then_some(Reason::Internals),
        "types" => {
            matches!(name, "FunctionType" | "LambdaType" | "CodeType" | "FrameType").then_some(Reason::Code)
        }
        "pkgutil" => matches!(
            name,
            "resolve_name" | "get_data" | "get_loader" | "find_loader" | "get_importer"
        )
        .then_some(Reason::Internals),
        "logging" => (name == "FileHandler").then_some(Reason::File),
        "pandas" => matches!(name, "read_pickle" | "eval").then_some(Reason::Code),
        "yaml" => matches!(
            name,
            "unsafe_load" | "unsafe_load_all" | "UnsafeLoader" | "full_load"
        )
        .then_some(Reason::Code),
        _ => None,
    }
}

fn os(name: &str) -> Option<Reason> {
    if ["exec", "spawn", "posix_spawn", "wait", "sched_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
    {
        return Some(Reason::Process);
    }
    match name {
        "environ" | "environb" | "getenv" | "getenvb" | "putenv" | "unsetenv" | "reload_environ" => {
            Some(Reason::Environment)
        }
        "system" | "popen" | "fork" | "forkpty" | "kill" | "killpg" | "abort" | "_exit" | "startfile"
        | "nice" | "setpriority" | "setuid" | "setgid" | "setsid" | "setpgid" | "pidfd_open" | "unshare"
        | "setns" | "chroot" => Some(Reason::Process),
        "open" | "fdopen" | "read" | "write" | "pread" | "pwrite" | "close" | "closerange" | "dup"
        | "dup2" | "pipe" | "pipe2" | "sendfile" | "remove" | "unlink" | "rmdir" | "removedirs" | "mkdir"
        | "makedirs" | "mkfifo" | "mknod" | "rename" | "renames" | "replace" | "link" | "symlink"
        | "readlink" | "truncate" | "ftruncate" | "chmod" | "fchmod" | "lchmod" | "chown" | "fchown"
        | "lchown" | "chdir" | "fchdir" | "listdir" | "scandir" | "walk" | "fwalk" | "utime"
        | "memfd_create" | "copy_file_range" | "splice" | "setxattr" | "getxattr" | "listxattr"
        | "removexattr" => Some(Reason::File),
        "_wrap_close" => Some(Reason::Internals),
        _ => None,
    }
}

fn builtin(name: &str) -> Option<Reason> {
    match name {
        "exec" | "eval" | "compile" | "__import__" => Some(Reason::Code),
        "globals" | "breakpoint" => Some(Reason::Internals),
        "open" => Some(Reason::File),
        "exit" | "quit" => Some(Reason::Exit),
        _ => None,
    }
}

fn path_method(name: &str) -> Option<Reason> {
    matches!(
        name,
        "open"
            | "read_text"
            | "read_bytes"
            | "write_text"
            | "write_bytes"
            | "unlink"
            | "rmdir"
            | "mkdir"
            | "touch"
            | "rename"
            | "replace"
            | "iterdir"
            | "glob"
            | "rglob"
            | "walk"
            | "chmod"
            | "lchmod"
            | "symlink_to"
            | "hardlink_to"
            | "copy"
            | "copy_into"
            | "move"
            | "move_into"
            | "readlink"
    )
    .then_some(Reason::File)
}

/// Builtins whose meaning the scan has to know.
pub(crate) fn known_builtin(name: &str) -> bool {
    builtin(name).is_some() || matches!(name, "getattr" | "vars" | "locals") || harmless_with_module(name)
}

/// Calls that may be given a restricted module: nothing of it comes back.
pub(crate) fn harmless_with_module(name: &str) -> bool {
    matches!(
        name,
        "hasattr" | "callable" | "id" | "repr" | "str" | "dir" | "print" | "bool"
    )
}

/// Attributes that lead from any object into the interpreter.
pub(crate) fn internal_attribute(name: &str) -> bool {
    internal_text(name)
        || matches!(
            name,
            "f_back" | "gi_code" | "cr_code" | "ag_code" | "__self__" | "__base__"
        )
}

/// The same as text, where a plain word such as `f_back` may be anybody's key.
pub(crate) fn internal_text(name: &str) -> bool {
    matches!(
        name,
        "__subclasses__"
            | "__globals__"
            | "__builtins__"
            | "__bases__"
            | "__mro__"
            | "__code__"
            | "__closure__"
            | "__subclasshook__"
            | "__loader__"
            | "__defaults__"
            | "__kwdefaults__"
            | "__getattribute__"
            | "f_globals"
            | "f_locals"
            | "f_builtins"
            | "gi_frame"
            | "cr_frame"
            | "ag_frame"
            | "tb_frame"
            | "func_globals"
    )
}

/// Names every module has that lead into the interpreter.
pub(crate) fn internal_name(name: &str) -> bool {
    matches!(name, "__builtins__" | "__loader__" | "__spec__")
}

/// Modules that others carry along as an attribute (`glob.os`, `random._os`).
pub(crate) fn carried(attribute: &str) -> Option<&'static str> {
    let bare = attribute.strip_prefix('_').unwrap_or(attribute);
    [
        "os",
        "sys",
        "builtins",
        "subprocess",
        "shutil",
        "ctypes",
        "importlib",
        "socket",
        "pickle",
        "marshal",
        "posix",
        "nt",
        "pty",
        "linecache",
    ]
    .into_iter()
    .find(|name| *name == bare)
}

/// Modules whose every hand-over is refused, since what happens to them can no longer be followed.
pub(crate) fn is_restricted(path: &str) -> bool {
    let module = path.strip_suffix(".__dict__").unwrap_or(path);
    matches!(module, "os" | "sys" | "builtins" | "io")
}

/// Modules of which some attribute is refused, so that a computed name cannot be allowed.
pub(crate) fn has_refused_attributes(path: &str) -> bool {
    is_restricted(path)
        || matches!(
            path,
            "codecs"
                | "asyncio"
                | "concurrent.futures"
                | "inspect"
                | "gc"
                | "types"
                | "pkgutil"
                | "pathlib.Path()"
                | "urllib"
                | "http"
        )
}
