"""Texts that libraries evaluate on a server's behalf: annotations, arguments in files of `logging`.

Types are named in them, and made by calls of classes. Any other call has to stand in a file that
the scan read, as an annotation.
"""

import ast
import re

_EVALUATORS = tuple(
    f"/{path}.py"
    for path in (
        "typing",
        "typing_extensions",
        "annotationlib",
        "inspect",
        "logging/config",
        "berth_runtime/model/fields",
        "pydantic/_internal/_typing_extra",
    )
)
_CLASS = re.compile(r"_*[A-Z]\w*|con[a-z]+\Z")
# What modules of the standard library write for themselves, of names that they are given.
_WRITTEN = {
    "/multiprocessing/managers.py": re.compile(
        r"def [^\W\d]\w*\(self, /, \*args, \*\*kwds\):\n"
        r" +return self\._callmethod\('\w+', args, kwds\)"
    ),
    "/multiprocessing/sharedctypes.py": re.compile(
        r"\ndef get(\w+)\(self\):\n    self\.acquire\(\)\n    try:\n"
        r"        return self\._obj\.\1\n    finally:\n        self\.release\(\)\n"
        r"def set\1\(self, value\):\n    self\.acquire\(\)\n    try:\n"
        r"        self\._obj\.\1 = value\n    finally:\n        self\.release\(\)\n"
        r"\1 = property\(get\1, set\1\)\n"
    ),
}
# Classes whose making runs a program or code.
_RUNS = re.compile(r"Popen|\w*(DLL|CodeType|FunctionType|ForwardRef|Interpreter|Console)\Z")

# Members by which a template gets from any object to the interpreter's own.
_WALK = re.compile(
    r"__(globals|builtins|subclasses|mro|bases?|code|import|getattribute|reduce(_ex)?|loader|self)__"
    r"|f_(globals|builtins|locals)|(gi|cr|ag|tb)_(frame|code)"
)


def evaluates(path):
    """Return whether a module of the library evaluates texts that it is given."""
    return path.endswith(_EVALUATORS)


def is_written_by(path, source):
    """Return whether a module of the library compiles a text of its own making, and no other."""
    pattern = next((each for module, each in _WRITTEN.items() if path.endswith(module)), None)
    if pattern is None or not isinstance(source, (str, bytes)):
        return False
    text = source if isinstance(source, str) else source.decode(errors="replace")
    return pattern.fullmatch(text) is not None


def parsed(source):
    """Return the expression of a text that calls something; None for any other."""
    text = source if isinstance(source, str) else bytes(source).decode(errors="replace")
    if "(" not in text:
        return None
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError, ValueError:
        # Whoever compiles it says so.
        return None


def is_plain(expression):
    """Return whether an expression calls nothing but classes."""
    return all(_is_plain_node(node) for node in ast.walk(expression))


def _is_plain_node(node):
    if isinstance(node, ast.Call):
        name = _last_name(node.func)
        return name is not None and _CLASS.match(name) is not None and _RUNS.match(name) is None
    name = _last_name(node)
    return name is None or not name.startswith("__")


def _last_name(node):
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def annotations(source):
    """Yield each annotation of a module, as it is compared."""
    for node in ast.walk(ast.parse(source)):
        for field in ("annotation", "returns"):
            annotation = getattr(node, field, None)
            if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
                annotation = parsed(annotation.value)
            if isinstance(annotation, ast.expr):
                yield ast.dump(annotation)


def walked(source):
    """Return the inner member that the code of a template looks up; None where it does not.

    `source` is what Jinja2 makes of a template, in which names are constants given to calls.
    """
    text = source if isinstance(source, str) else bytes(source).decode(errors="replace")
    if _WALK.search(text) is None:
        return None
    try:
        tree = ast.parse(text)
    except SyntaxError, ValueError:
        return None
    for node in ast.walk(tree):
        for given in node.args if isinstance(node, ast.Call) else ():
            value = given.value if isinstance(given, ast.Constant) else None
            if isinstance(value, str) and any(map(_WALK.fullmatch, value.split("."))):
                return value
    return None
