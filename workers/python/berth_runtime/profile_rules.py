"""The table of refused constructs, and the walk over a syntax tree that finds them."""

import ast

from .missing import is_native

_HTTP = {"httpx": "use requests", "aiohttp": "use requests"}
_NO_CLASS = "use functions, dictionaries and lists"
_NO_ASYNC = "use def; requests answers without await"
_NO_FILES = "keep data in memory, or fetch it with requests"
_NO_NATIVE = "use the standard library or requests; compiled code does not run here"

_FILE_MODULES = {"shutil", "tempfile", "fileinput", "shelve", "dbm", "mmap", "linecache", "filecmp"}
_FILE_FUNCTIONS = {
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
_PATH_ALWAYS = {"read_text", "write_text", "read_bytes", "write_bytes"}
_PATH_METHODS = _PATH_ALWAYS | {
    "open", "mkdir", "rmdir", "unlink", "touch", "rename", "replace", "iterdir", "glob", "rglob",
    "symlink_to", "hardlink_to", "chmod", "walk",
}  # fmt: skip
_PATH_STEPS = {"joinpath", "with_name", "with_suffix", "resolve", "absolute", "expanduser"}
_PATH_CLASSES = {"Path", "PosixPath", "WindowsPath"}
_NATIVE_LOADERS = {"ctypes", "_ctypes", "cffi"}


class Checker(ast.NodeVisitor):
    """Walks a module and collects its problems."""

    def __init__(self, file):
        self.file = file
        self.problems = []
        self.modules = {}
        self.bound = set()
        self.paths = set()
        self.path_classes = set()

    def sorted(self):
        """Return the problems by line."""
        return sorted(self.problems, key=lambda problem: problem["line"])

    def found(self, construct, node, hint):
        """Note a problem once a line."""
        problem = {"construct": construct, "file": self.file, "line": node.lineno, "hint": hint}
        if problem not in self.problems:
            self.problems.append(problem)

    def visit_Module(self, node):
        """Learn which names the module binds itself: its own `open` is no file call."""
        for inner in ast.walk(node):
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.bound.add(inner.name)
            elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                self.bound.add(inner.id)
            elif isinstance(inner, ast.arg):
                self.bound.add(inner.arg)
        self.generic_visit(node)

    def visit_ClassDef(self, node):
        """Classes."""
        self.found("class definition", node, _NO_CLASS)
        self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node):
        """`async def`."""
        self.found("async def", node, _NO_ASYNC)
        self.generic_visit(node)

    def visit_AsyncFor(self, node):
        """`async for`."""
        self.found("async for", node, _NO_ASYNC)
        self.generic_visit(node)

    def visit_AsyncWith(self, node):
        """`async with`."""
        self.found("async with", node, _NO_ASYNC)
        self.generic_visit(node)

    def visit_Await(self, node):
        """`await`."""
        self.found("await", node, _NO_ASYNC)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        """Asynchronous comprehensions."""
        if node.is_async:
            self.found("async for", node.target, _NO_ASYNC)
        self.generic_visit(node)

    def visit_Import(self, node):
        """`import x` and `import x as y`."""
        for alias in node.names:
            self.module(alias.name, node)
            name = alias.asname or alias.name.split(".")[0]
            self.modules[name] = alias.name if alias.asname else alias.name.split(".")[0]

    def visit_ImportFrom(self, node):
        """`from x import y`."""
        if node.level or node.module is None:
            return
        self.module(node.module, node)
        for alias in node.names:
            self.taken(node.module, alias, node)

    def taken(self, module, alias, node):
        """Note what a name imported from a module is."""
        name = alias.asname or alias.name
        if (
            module in _FILE_MODULES
            and alias.name != "which"
            or alias.name in (_FILE_FUNCTIONS.get(module, ()))
        ):
            self.found(f"file I/O ({module}.{alias.name})", node, _NO_FILES)
        elif module == "pathlib" and alias.name in _PATH_CLASSES:
            self.path_classes.add(name)
        elif f"{module}.{alias.name}" in ("logging.handlers", "os.path"):
            self.modules[name] = f"{module}.{alias.name}"

    def module(self, name, node):
        """Judge an imported module by its name."""
        top = name.split(".")[0]
        if top in _HTTP:
            self.found(f"import of {top}", node, _HTTP[top])
        elif top in _NATIVE_LOADERS:
            self.found(f"C extension ({top})", node, _NO_NATIVE)
        elif is_native(top):
            self.found(f"binary wheel ({top})", node, _NO_NATIVE)

    def visit_Assign(self, node):
        """Remember variables that hold paths."""
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Name) and self.is_path(node.value):
                self.paths.add(target.id)

    def visit_Name(self, node):
        """`open`, called or passed on."""
        if node.id == "open" and isinstance(node.ctx, ast.Load) and "open" not in self.bound:
            self.found("file I/O (open)", node, _NO_FILES)

    def visit_Attribute(self, node):
        """`os.remove`, `shutil.copy`, `path.read_text` and the like."""
        self.generic_visit(node)
        owner = self.owner(node.value)
        if (
            owner in _FILE_MODULES
            and node.attr != "which"
            or node.attr in (_FILE_FUNCTIONS.get(owner, ()))
        ):
            self.found(f"file I/O ({owner}.{node.attr})", node, _NO_FILES)
        elif node.attr in _PATH_ALWAYS or node.attr in _PATH_METHODS and self.is_path(node.value):
            self.found(f"file I/O (Path.{node.attr})", node, _NO_FILES)

    def visit_Call(self, node):
        """`__import__("httpx")`, `importlib.import_module("httpx")`, in-memory databases."""
        if self.dynamic_import(node):
            self.module(node.args[0].value, node)
        if self.in_memory(node):
            for argument in [*node.args, *node.keywords]:
                self.visit(argument)
            return
        self.generic_visit(node)

    def dynamic_import(self, node):
        """Return whether a call imports a module of a literal name."""
        function = node.func
        named = isinstance(function, ast.Name) and function.id in ("__import__", "import_module")
        asked = isinstance(function, ast.Attribute) and function.attr == "import_module"
        literal = node.args and isinstance(node.args[0], ast.Constant)
        return bool((named or asked) and literal and isinstance(node.args[0].value, str))

    def in_memory(self, node):
        """Return whether a call opens something in memory: a database, an archive in bytes."""
        function = node.func
        if not isinstance(function, ast.Attribute):
            return False
        owner, first = self.owner(function.value), node.args[0] if node.args else None
        if owner == "sqlite3" and function.attr == "connect":
            return isinstance(first, ast.Constant) and first.value == ":memory:"
        in_bytes = isinstance(first, ast.Call) and getattr(
            first.func, "attr", getattr(first.func, "id", "")
        ) in ("BytesIO", "StringIO")
        if owner in ("zipfile", "gzip", "bz2", "lzma") and in_bytes:
            return True
        return owner == "tarfile" and any(word.arg == "fileobj" for word in node.keywords)

    def owner(self, node):
        """Return the module that an expression names, or None."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id)
        if isinstance(node, ast.Attribute):
            inner = self.owner(node.value)
            return f"{inner}.{node.attr}" if inner else None
        return None

    def is_path(self, node):
        """Return whether an expression is a pathlib path, as far as the module itself shows."""
        if isinstance(node, ast.Name):
            return node.id in self.paths
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return self.is_path(node.left) or self.is_path(node.right)
        if isinstance(node, ast.Attribute):
            return node.attr in ("parent", "parents") and self.is_path(node.value)
        if not isinstance(node, ast.Call):
            return False
        function = node.func
        if isinstance(function, ast.Name):
            return function.id in self.path_classes
        if isinstance(function, ast.Attribute):
            if self.owner(function.value) == "pathlib":
                return function.attr in _PATH_CLASSES
            known = self.is_path(function.value) or self.path_class(function.value)
            return function.attr in _PATH_STEPS | {"home", "cwd"} and known
        return False

    def path_class(self, node):
        """Return whether an expression is the class `Path` itself."""
        if isinstance(node, ast.Name):
            return node.id in self.path_classes
        return isinstance(node, ast.Attribute) and self.owner(node.value) == "pathlib"
