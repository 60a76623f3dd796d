"""The walk over a syntax tree that finds refused constructs."""

import ast

from .names import IMPORTERS, Names, in_order, text_of
from .table import (
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
        self.names = None
        self.paths = set()

    def sorted(self):
        """Return the problems by line."""
        return sorted(self.problems, key=lambda problem: problem["line"])

    def found(self, construct, node, hint):
        """Note a problem once a line."""
        line = getattr(node, "lineno", 1)
        problem = {"construct": construct, "file": self.file, "line": line, "hint": hint}
        if problem not in self.problems:
            self.problems.append(problem)

    def visit(self, node):
        """Learn the names of the whole before the first node is judged."""
        if self.names is None:
            self.names = Names(node)
            self.learn_paths(node)
        return super().visit(node)

    def learn_paths(self, tree):
        """Remember variables that hold paths."""
        for node in in_order(tree):
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not self.is_path(node.value):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            self.paths.update(each.id for each in targets if isinstance(each, ast.Name))

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

    def visit_ImportFrom(self, node):
        """`from x import y`."""
        if node.level or node.module is None:
            return
        self.module(node.module, node)
        for alias in node.names:
            self.meant(f"{node.module}.{alias.name}", node)

    def module(self, name, node):
        """Judge an imported module by its name."""
        problem = module_problem(name)
        if problem:
            self.found(problem[0], node, problem[1])

    def meant(self, name, node):
        """Judge what a name stands for; return whether it is refused."""
        module, _, last = name.rpartition(".")
        if module in FILE_MODULES and last != "which" or last in FILE_FUNCTIONS.get(module, ()):
            self.found(f"file I/O ({name})", node, NO_FILES)
        elif name in CLASS_MAKERS:
            shown = name.removeprefix("builtins.") if name.startswith("builtins.type.") else name
            self.found(f"class definition ({shown})", node, NO_CLASS)
        else:
            return False
        return True

    def visit_Name(self, node):
        """`open`, called or passed on."""
        if not isinstance(node.ctx, ast.Load):
            return
        if node.id == "open" and self.names.meaning(node) == "builtins.open":
            self.found("file I/O (open)", node, NO_FILES)
        elif node.id == "__build_class__" and self.names.meaning(node) is not None:
            self.found("class definition", node, NO_CLASS)

    def visit_Attribute(self, node):
        """`os.remove`, `shutil.copy`, `path.read_text` and the like."""
        self.generic_visit(node)
        meaning = self.names.meaning(node)
        if meaning is not None and self.meant(meaning, node):
            return
        if node.attr in PATH_ALWAYS or node.attr in PATH_METHODS and self.is_path(node.value):
            self.found(f"file I/O (Path.{node.attr})", node, NO_FILES)

    def visit_Subscript(self, node):
        """`__builtins__["open"]`."""
        self.generic_visit(node)
        meaning = self.names.meaning(node)
        if meaning is not None:
            self.meant(meaning, node)

    def visit_Call(self, node):
        """`__import__("httpx")`, `getattr(os, "remove")`, in-memory databases."""
        function = self.names.meaning(node.func)
        first = text_of(node.args[0]) if node.args else None
        if function in IMPORTERS and first is not None:
            self.module(first, node)
        meaning = self.names.meaning(node) if function == "builtins.getattr" else None
        if meaning is not None:
            self.meant(meaning, node)
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if function in METACLASSES and (len(node.args) > 1 or starred):
            self.found("class definition (type)", node, NO_CLASS)
        named = {word.arg for word in node.keywords}
        if function == "logging.basicConfig" and "filename" in named:
            self.found("file I/O (logging.basicConfig)", node, NO_FILES)
        if isinstance(node.func, ast.Attribute) and self.in_memory(function, node, named):
            for argument in [*node.args, *node.keywords]:
                self.visit(argument)
            return
        self.generic_visit(node)

    def in_memory(self, function, node, named):
        """Return whether a call opens something in memory: a database, an archive in bytes."""
        first = node.args[0] if node.args else None
        if function == "sqlite3.connect":
            return text_of(first) == ":memory:"
        module = (function or "").split(".")[0]
        if module in ("tarfile", "gzip") and "fileobj" in named:
            return True
        if module not in ("zipfile", "gzip", "bz2", "lzma") or not isinstance(first, ast.Call):
            return False
        maker = getattr(first.func, "attr", getattr(first.func, "id", ""))
        return maker in ("BytesIO", "StringIO")

    def is_path(self, node):
        """Return whether an expression is a pathlib path, as far as the module itself shows."""
        if isinstance(node, ast.Name):
            return node.id in self.paths
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return self.is_path(node.left) or self.is_path(node.right)
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Attribute) and self.is_path(node.value)
        if isinstance(node, ast.Attribute):
            return node.attr in ("parent", "parents") and self.is_path(node.value)
        if not isinstance(node, ast.Call):
            return False
        if self.names.meaning(node.func) in PATH_CLASSES:
            return True
        function = node.func
        return (
            isinstance(function, ast.Attribute)
            and function.attr in PATH_STEPS
            and (self.is_path(function.value) or self.names.meaning(function.value) in PATH_CLASSES)
        )
