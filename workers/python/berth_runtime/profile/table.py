"""The constructs that the restricted profile refuses, and what to use instead."""

from ..packages.missing import is_native

HTTP = {"httpx": "use requests", "aiohttp": "use requests"}
NO_CLASS = "use functions, dictionaries, and lists"
NO_ASYNC = "use def with requests"
NO_FILES = "keep data in memory, or fetch it with requests"
NO_NATIVE = (
    "compiled code does not run in the restricted profile: use the standard library or requests, "
    "or run Berth with INTERPRETER_PROFILE=full"
)

FILE_MODULES = {"shutil", "tempfile", "fileinput", "shelve", "dbm", "mmap", "linecache", "filecmp"}
FILE_FUNCTIONS = {
    "builtins": {"open"},
    "io": {"open", "open_code", "FileIO"},
    "_io": {"open", "open_code", "FileIO"},
    "codecs": {"open"},
    "tokenize": {"open"},
    "gzip": {"open", "GzipFile"},
    "bz2": {"open", "BZ2File"},
    "lzma": {"open", "LZMAFile"},
    "zipfile": {"ZipFile"},
    "tarfile": {"open", "TarFile"},
    "glob": {"glob", "iglob"},
    "importlib.resources": {
        "files", "as_file", "path", "contents", "read_text", "read_binary", "open_text",
        "open_binary",
    },
    "pkgutil": {"get_data"},
    "os": {
        "open", "fdopen", "remove", "unlink", "rename", "renames", "replace", "mkdir", "makedirs",
        "rmdir", "removedirs", "link", "symlink", "truncate", "listdir", "scandir", "walk", "fwalk",
        "chmod", "chown", "mkfifo", "mknod", "utime", "readlink", "sendfile",
    },
    "posix": {"open", "remove", "unlink", "rename", "mkdir", "rmdir", "listdir", "scandir"},
    "logging": {"FileHandler"},
    "logging.handlers": {"RotatingFileHandler", "TimedRotatingFileHandler", "WatchedFileHandler"},
    "sqlite3": {"connect"},
}  # fmt: skip
PATH_ALWAYS = {"read_text", "write_text", "read_bytes", "write_bytes"}
PATH_METHODS = PATH_ALWAYS | {
    "open", "mkdir", "rmdir", "unlink", "touch", "rename", "replace", "iterdir", "glob", "rglob",
    "symlink_to", "hardlink_to", "chmod", "walk",
}  # fmt: skip
PATH_STEPS = {
    "joinpath", "with_name", "with_suffix", "resolve", "absolute", "expanduser", "home", "cwd",
}  # fmt: skip
PATH_CLASSES = {"pathlib.Path", "pathlib.PosixPath", "pathlib.WindowsPath"}
NATIVE_LOADERS = {"ctypes", "_ctypes", "cffi"}
# Calls that make a class; those of the second group do so from two arguments on.
CLASS_MAKERS = {
    "types.new_class", "builtins.__build_class__", "builtins.type.__new__",
    "builtins.type.__call__",
}  # fmt: skip
METACLASSES = {"builtins.type", "abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"}


def module_problem(name):
    """Return construct and hint of a module that may not be imported, or None."""
    top = name.split(".")[0]
    if top in HTTP:
        return f"import of {top}", HTTP[top]
    if top in NATIVE_LOADERS:
        return f"C extension ({top})", NO_NATIVE
    return (f"binary wheel ({top})", NO_NATIVE) if is_native(top) else None
