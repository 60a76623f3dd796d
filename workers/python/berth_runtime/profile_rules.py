"""The walk over a syntax tree that finds refused constructs."""

import ast

from .profile_table import (
    CLASS_MAKERS,
    FILE_FUNCTIONS,
    FILE_MODULES,
    METACLASSES,
    NO_ASYNC,
    NO_CLASS,
    NO_FILES,
    PATH_ALWAYS,
    PATH_CLASSES,
    PATH_METHODS,
    PATH_STEPS,
    module_problem,
)


class Checker(ast.NodeVisitor):
    """Walks a module and collects its problems."""

    def __init__(self, file):
        self.file = file
        self.problems = []
        self.modules = {}
        self.bound = set()
        self.paths = set()
        self.path_classes = set()
        self.metaclasses = set()

    def sorted(self):
        """Return the problems by line."""
        return sorted(self.problems, key=lambda problem: problem["line"])

    def found(self, construct, node, hint):
        """Note a problem once a line."""
        line = getattr(node, "lineno", 1)
        problem = {"construct": construct, "file": self.file, "line": line, "hint": hint}
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
        self.found("class definition", node, NO_CLASS)
        self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node):
        """`async def`."""
        self.found("async def", node, NO_ASYNC)
        self.generic_visit(node)

    def visit_AsyncFor(self, node):
        """`async for`."""
        self.found("async for", node, NO_ASYNC)
        self.generic_visit(node)

    def visit_AsyncWith(self, node):
        """`async with`."""
        self.found("async with", node, NO_ASYNC)
        self.generic_visit(node)

    def visit_Await(self, node):
        """`await`."""
        self.found("await", node, NO_ASYNC)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        """Asynchronous comprehensions."""
        if node.is_async:
            self.found("async for", node.target, NO_ASYNC)
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
            module in FILE_MODULES
            and alias.name != "which"
            or alias.name in (FILE_FUNCTIONS.get(module, ()))
        ):
            self.found(f"file I/O ({module}.{alias.name})", node, NO_FILES)
        elif module == "pathlib" and alias.name in PATH_CLASSES:
            self.path_classes.add(name)
        elif f"{module}.{alias.name}" in CLASS_MAKERS:
            self.found(f"class definition ({module}.{alias.name})", node, NO_CLASS)
        elif f"{module}.{alias.name}" in METACLASSES:
            self.metaclasses.add(name)
        elif f"{module}.{alias.name}" in ("logging.handlers", "os.path", "importlib.resources"):
            self.modules[name] = f"{module}.{alias.name}"

    def module(self, name, node):
        """Judge an imported module by its name."""
        problem = module_problem(name)
        if problem:
            self.found(problem[0], node, problem[1])

    def visit_Assign(self, node):
        """Remember variables that hold paths."""
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Name) and self.is_path(node.value):
                self.paths.add(target.id)

    def visit_Name(self, node):
        """`open`, called or passed on."""
        if node.id == "open" and isinstance(node.ctx, ast.Load) and "open" not in self.bound:
            self.found("file I/O (open)", node, NO_FILES)
        elif node.id == "__build_class__":
            self.found("class definition", node, NO_CLASS)

    def visit_Attribute(self, node):
        """`os.remove`, `shutil.copy`, `path.read_text` and the like."""
        self.generic_visit(node)
        owner = self.owner(node.value)
        if (
            owner in FILE_MODULES
            and node.attr != "which"
            or node.attr in (FILE_FUNCTIONS.get(owner, ()))
        ):
            self.found(f"file I/O ({owner}.{node.attr})", node, NO_FILES)
        elif node.attr in PATH_ALWAYS or node.attr in PATH_METHODS and self.is_path(node.value):
            self.found(f"file I/O (Path.{node.attr})", node, NO_FILES)
        elif f"{owner or self.type_name(node.value)}.{node.attr}" in CLASS_MAKERS:
            name = f"{owner or 'type'}.{node.attr}"
            self.found(f"class definition ({name})", node, NO_CLASS)

    def visit_Call(self, node):
        """`__import__("httpx")`, `importlib.import_module("httpx")`, in-memory databases."""
        if self.dynamic_import(node):
            self.module(node.args[0].value, node)
        if self.makes_class(node):
            self.found("class definition (type)", node, NO_CLASS)
        if any(word.arg == "filename" for word in node.keywords) and self.configures_log(node.func):
            self.found("file I/O (logging.basicConfig)", node, NO_FILES)
        if self.in_memory(node):
            for argument in [*node.args, *node.keywords]:
                self.visit(argument)
            return
        self.generic_visit(node)

    def type_name(self, node):
        """Return "type" for the built-in of that name."""
        named = isinstance(node, ast.Name) and node.id == "type" and "type" not in self.bound
        return "type" if named else None

    def makes_class(self, node):
        """Return whether a call is `type(name, bases, members)`, of `type` or another metaclass."""
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if len(node.args) < 2 and not starred:
            return False
        function = node.func
        if isinstance(function, ast.Name):
            return bool(self.type_name(function)) or function.id in self.metaclasses
        owner = self.owner(function.value) if isinstance(function, ast.Attribute) else None
        return owner is not None and f"{owner}.{function.attr}" in METACLASSES

    def configures_log(self, function):
        """Return whether a function is `logging.basicConfig`."""
        attribute = isinstance(function, ast.Attribute) and function.attr == "basicConfig"
        return attribute and self.owner(function.value) == "logging"

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
                return function.attr in PATH_CLASSES
            known = self.is_path(function.value) or self.path_class(function.value)
            return function.attr in PATH_STEPS | {"home", "cwd"} and known
        return False

    def path_class(self, node):
        """Return whether an expression is the class `Path` itself."""
        if isinstance(node, ast.Name):
            return node.id in self.path_classes
        return isinstance(node, ast.Attribute) and self.owner(node.value) == "pathlib"
