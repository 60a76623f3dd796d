"""Tools that a Python MCP server declares, read from CPython's own syntax trees.

Usage: declared_tools.py FOLDER ENTRYPOINT

Prints JSON: `tools` (name to "file:line"), `dynamic`. Written apart from the scanner, as a check of
it: modules are followed from the entrypoint, decorators, registrations and tool objects are taken
from what the trees say, and a name that is not a literal or a constant makes the server dynamic.
"""

import ast
import json
import os
import sys
import warnings

FOREIGN = {
    "langchain", "langchain_core", "langgraph", "crewai", "smolagents", "llama_index", "agents",
    "autogen", "haystack", "pydantic_ai", "strands", "claude_agent_sdk", "google", "openai", "dspy",
}
ASIDE = {
    "test", "tests", "testing", "fixtures", "testdata", "spec", "doc", "docs", "example", "examples",
    "sample", "samples", "demo", "demos", "benchmark", "benchmarks", "notebook", "notebooks",
    "node_modules", "vendor", "third_party", "site-packages", ".venv", "venv", "__pypackages__",
}
SDKS = ("mcp", "fastmcp", "mcp_types")


class Module:
    """A parsed file: what it imports, its constants, its functions."""

    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path), "rb") as source:
            self.tree = ast.parse(source.read(), path)
        self.origins = {}
        self.strings = {}
        self.values = {}
        self.functions = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for each in node.names:
                    name = each.asname or each.name.split(".")[0]
                    self.origins[name] = each.name if each.asname else name
            elif isinstance(node, ast.ImportFrom):
                base = "." * node.level + (node.module or "")
                for each in node.names:
                    self.origins[each.asname or each.name] = f"{base}:{each.name}"
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions.setdefault(node.name, node)
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                self.assigned(node.targets[0], node.value)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                self.assigned(node.target, node.value)
            elif isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Constant):
                        for target in inner.targets:
                            if isinstance(target, ast.Name) and isinstance(inner.value.value, str):
                                self.strings[f"{node.name}.{target.id}"] = inner.value.value

    def assigned(self, target, value):
        if not isinstance(target, ast.Name):
            return
        self.values.setdefault(target.id, value)
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            self.strings.setdefault(target.id, value.value)

    def origin(self, node):
        """Where the first name of an expression comes from: `module` or `module:name`."""
        while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
            node = node.func if isinstance(node, ast.Call) else node.value
        return self.origins.get(node.id, "") if isinstance(node, ast.Name) else ""

    def is_foreign(self, node):
        origin = self.origin(node)
        return origin.replace(":", ".").split(".")[0] in FOREIGN


class Project:
    def __init__(self, root, entrypoint):
        self.root = root
        self.modules = {}
        self.dynamic = False
        self.tools = {}
        self.follow(entrypoint)

    def exists(self, path):
        return os.path.isfile(os.path.join(self.root, path))

    def follow(self, entrypoint):
        start = os.path.dirname(entrypoint)
        folders = {start, "", "src"}
        up = start
        while up and self.exists(os.path.join(up, "__init__.py")):
            up = os.path.dirname(up)
            folders.add(up)
        waiting = [entrypoint]
        while waiting:
            path = waiting.pop()
            if path in self.modules or not self.exists(path):
                continue
            try:
                module = self.modules[path] = Module(self.root, path)
            except SyntaxError:
                continue
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Import):
                    for each in node.names:
                        for folder in folders:
                            waiting += self.along(folder, each.name.split("."))
                elif isinstance(node, ast.ImportFrom):
                    parts = (node.module or "").split(".") if node.module else []
                    bases = folders
                    if node.level:
                        base = os.path.dirname(path)
                        for _ in range(node.level - 1):
                            base = os.path.dirname(base)
                        bases = {base}
                    for base in bases:
                        if node.level:
                            waiting.append(os.path.join(base, "__init__.py"))
                        for each in node.names:
                            tail = [] if each.name == "*" else [each.name]
                            waiting += self.along(base, parts + tail)
                elif isinstance(node, ast.Call):
                    self.runtime_import(node, folders, waiting)

    def runtime_import(self, node, folders, waiting):
        text = ast.unparse(node.func)
        if text in ("importlib.import_module", "import_module", "__import__"):
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                for folder in folders:
                    waiting += self.along(folder, first.value.strip(".").split("."))
            elif package_of(first):
                for folder in folders:
                    below = os.path.join(folder, *package_of(first).split("."))
                    if os.path.isdir(os.path.join(self.root, below)):
                        waiting += [
                            os.path.join(below, each)
                            for each in os.listdir(os.path.join(self.root, below))
                            if each.endswith(".py")
                        ]
            else:
                self.any_module(waiting)
        elif text.endswith(("iter_modules", "walk_packages", "spec_from_file_location", "run_path")):
            self.any_module(waiting)

    def any_module(self, waiting):
        """Modules are loaded by computed names: every one that is no test and no example may run."""
        self.dynamic = True
        for folder, _, files in os.walk(self.root):
            below = os.path.relpath(folder, self.root).replace(os.sep, "/")
            parts = set(below.split("/"))
            if parts & ASIDE:
                continue
            for each in files:
                if each.endswith(".py") and not each.startswith(("test_", "conftest")) \
                        and not each.endswith(("_test.py", "_pb2.py", "_pb2_grpc.py")):
                    waiting.append(each if below == "." else f"{below}/{each}")

    def along(self, folder, parts):
        found = []
        for length in range(1, len(parts) + 1):
            path = os.path.join(folder, *parts[:length])
            found += [f"{path}.py", os.path.join(path, "__init__.py")]
        return [each.lstrip("/") for each in found if self.exists(each)]

    def add(self, module, node, name):
        if name is None:
            self.dynamic = True
        else:
            self.tools.setdefault(name, f"{module.path}:{node.lineno}")

    def string(self, module, node, depth=0):
        """The string that an expression is, or None."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Attribute) and node.attr == "value":
            node = node.value
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            key = f"{node.value.id}.{node.attr}"
            for each in [module, *self.modules.values()]:
                if key in each.strings:
                    return each.strings[key]
                if node.attr in each.strings and depth == 0 and node.value.id in module.origins:
                    return each.strings[node.attr]
        if isinstance(node, ast.Name):
            if node.id in module.strings:
                return module.strings[node.id]
            if node.id in module.origins:
                for each in self.modules.values():
                    if node.id in each.strings:
                        return each.strings[node.id]
        return None

    def read(self, module):
        decorators = set()
        inner = set()
        for node in ast.walk(module.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for each in node.decorator_list:
                    decorators.add(each)
                    self.decorated(module, node, each)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Call):
                inner.add(node.func)
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and node not in decorators and node not in inner:
                self.called(module, node)

    def is_tool(self, module, node):
        if isinstance(node, ast.Attribute):
            return node.attr == "tool" and not module.is_foreign(node)
        if isinstance(node, ast.Name):
            if node.id in module.values and node.id not in module.origins:
                return self.is_tool(module, module.values[node.id])
            origin = module.origins.get(node.id, "")
            return origin.split(":")[-1] == "tool" and not module.is_foreign(node)
        return False

    def decorated(self, module, function, decorator):
        call = decorator if isinstance(decorator, ast.Call) else None
        if not self.is_tool(module, call.func if call else decorator):
            return
        given = named(call, "name", 0) if call else None
        name = function.name if given is None else self.string(module, given)
        self.add(module, decorator, name)

    def called(self, module, node):
        func = node.func
        if isinstance(func, ast.Call) and self.is_tool(module, func.func):
            given = named(func, "name", 0)
            self.register(module, node, node.args[0] if node.args else None, given)
        elif isinstance(func, ast.Attribute) and func.attr == "add_tool":
            first = node.args[0] if node.args else named(node, "fn", 9)
            if first is not None:
                self.added(module, node, first)
        elif self.is_tool(module, func):
            first = node.args[0] if node.args else named(node, "fn", 9)
            if first is not None and self.string(module, first) is None:
                self.register(module, node, first, named(node, "name", 1))
        elif self.is_object(module, func):
            given = named(node, "name", 0)
            self.add(module, node, None if given is None else self.string(module, given))

    def is_object(self, module, func):
        last = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        origin = module.origin(func).replace(":", ".")
        if isinstance(func, ast.Name):
            last = module.origins.get(func.id, "").split(":")[-1]
        return last == "Tool" and origin.lstrip(".").split(".")[0] in SDKS

    def added(self, module, node, first):
        if isinstance(first, ast.Call):
            if self.is_object(module, first.func):
                return
            text = ast.unparse(first.func)
            if text.endswith(("Tool", "Tool.from_function")):
                target = first.args[0] if first.args else named(first, "fn", 9)
                self.register(module, node, target, named(first, "name", 1))
                return
        self.register(module, node, first, named(node, "name", 1))

    def register(self, module, node, function, given):
        if given is not None:
            self.add(module, node, self.string(module, given))
        elif isinstance(function, ast.Attribute):
            self.add(module, node, function.attr)
        elif isinstance(function, ast.Name):
            known = function.id in module.functions or function.id in module.origins
            origin = module.origins.get(function.id, "").split(":")[-1]
            self.add(module, node, (origin or function.id) if known else None)
        elif isinstance(function, ast.Call) and len(function.args) == 1:
            self.register(module, node, function.args[0], None)
        else:
            self.add(module, node, None)


def package_of(node):
    """The package in f"package.{name}" or "package." + name, or None."""
    if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
        text = node.values[0].value
    elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
        text = node.left.value
    else:
        return None
    return text[:-1] if isinstance(text, str) and len(text) > 1 and text.endswith(".") else None


def named(call, keyword, position):
    """The argument of a call by its keyword, else by its position."""
    for each in call.keywords:
        if each.arg == keyword:
            return each.value
    return call.args[position] if len(call.args) > position else None


def main():
    warnings.simplefilter("ignore")
    project = Project(sys.argv[1], sys.argv[2])
    for module in list(project.modules.values()):
        project.read(module)
    print(json.dumps({"tools": project.tools, "dynamic": project.dynamic}))


main()
