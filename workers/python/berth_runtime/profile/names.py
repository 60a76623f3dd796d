"""What names mean in a module of the server, as far as the module itself shows.

The scan reads modules by the same rules (`workers/analysis/audit/compatibility/names.ts`): what it
says of a server must be what a session does.
"""

import ast

_BUILTINS = {"open", "type", "getattr", "__build_class__", "__import__"}
IMPORTERS = {"builtins.__import__", "importlib.import_module", "importlib.__import__"}
_MOST_HOPS = 5


def dotted(node):
    """Return the dotted text of a name or of an attribute chain, None for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def text_of(node):
    """Return the text of a literal, None for anything else."""
    literal = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if literal else None


def in_order(node):
    """Return a node and all below it, parents before children, in the order of the source."""
    yield node
    for inner in ast.iter_child_nodes(node):
        yield from in_order(inner)


class Names:
    """The names of one module: what they stand for, and which the module binds itself."""

    def __init__(self, tree):
        self.imported = {}
        self.aliases = {}
        self.bound = set()
        for node in in_order(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                self._assign(node)
            self._bind(node)

    def _import(self, node):
        for alias in node.names:
            name, own = alias.name, alias.asname
            if isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                self.imported[own or name] = f"{module}.{name}"
            else:
                top = name.split(".")[0]
                self.imported[own or top] = name if own else top

    def _assign(self, node):
        """Take `name = other.name` as another name of the same."""
        target = node.targets[-1] if isinstance(node, ast.Assign) else node.target
        meant = dotted(node.value)
        if isinstance(target, ast.Name) and meant and meant.split(".")[0] != target.id:
            self.aliases[target.id] = meant

    def _bind(self, node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.bound.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            self.bound.add(node.id)
        elif isinstance(node, ast.arg):
            self.bound.add(node.arg)

    def _named(self, text):
        """Return what a dotted text stands for: what is imported, a built-in, or None."""
        for _ in range(_MOST_HOPS):
            head, dot, rest = text.partition(".")
            if head in self.imported:
                return self.imported[head] + dot + rest
            if head == "__builtins__":
                return "builtins" + dot + rest
            if head in _BUILTINS and head not in self.bound:
                return "builtins." + text
            if head not in self.aliases:
                return None
            text = self.aliases[head] + dot + rest
        return None

    def meaning(self, node):
        """Return what an expression stands for, `io.open` or `builtins.open`, or None."""
        text = dotted(node)
        if text is not None:
            return self._named(text)
        if isinstance(node, ast.Attribute):
            return _member(self.meaning(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            return self._item(node)
        return self._called(node) if isinstance(node, ast.Call) else None

    def _called(self, node):
        """Return what `getattr(module, "name")` and `__import__("module")` stand for."""
        function = self.meaning(node.func)
        first = node.args[0] if node.args else None
        if function == "builtins.getattr" and len(node.args) > 1:
            return _member(self.meaning(first), text_of(node.args[1]))
        name = text_of(first) if function in IMPORTERS else None
        return name.split(".")[0] if name and function == "builtins.__import__" else name

    def _item(self, node):
        """Return what `sys.modules["name"]` and `__builtins__["name"]` stand for."""
        name, owner = text_of(node.slice), self.meaning(node.value)
        if owner == "sys.modules":
            return name
        return _member(owner, name) if owner == "builtins" else None


def _member(owner, name):
    return f"{owner}.{name}" if owner and name else None
