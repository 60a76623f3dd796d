"""What `setup.py` and `setup.cfg` say of a project: read as texts, never run."""

import ast
import configparser
import re

from .metadata import assigned_in, read_text

_MODULES = ("", "._version", ".version", ".__version__", ".__about__")
_METHODS = {"split", "splitlines", "strip"}
_REQUIREMENTS = re.compile(r"[\w./-]*require[\w.-]*\.(?:txt|in)")


class _Unknown(Exception):
    """A value that only running the script would tell."""


def facts(folder):
    """Return the arguments of `setup()`, of the script before those of `setup.cfg`."""
    script, config = read_text(folder, "setup.py"), read_text(folder, "setup.cfg")
    if not script and not config:
        return {}
    found = {**_configured(config), **_called(script)}
    found["install_requires"] = requirement_lines(folder, found.get("install_requires"))
    found["version"] = _version(folder, found)
    extras = found.get("extras_require")
    found["extras_require"] = {
        str(name): requirement_lines(folder, lines)
        for name, lines in (extras.items() if isinstance(extras, dict) else ())
    }
    found["entry_points"] = _groups(found.get("entry_points"))
    return found


def requirement_lines(folder, value):
    """Return requirements: of a list, a text of lines, or the files that `file:` names."""
    if isinstance(value, str) and value.strip().startswith("file:"):
        paths = value.strip().removeprefix("file:").split(",")
        lines = [line for path in paths for line in read_text(folder, path.strip()).split("\n")]
    else:
        lines = _lines(value)
    plain = (re.sub(r"(^|\s)#.*", "", str(line)).strip() for line in lines)
    # The rest are options of pip.
    return [line for line in plain if line and line[0] not in "-."]


def _lines(value):
    if isinstance(value, str):
        return value.split("\n")
    return value if isinstance(value, list) else []


def _version(folder, found):
    wanted = str(found.get("version") or "")
    kind, _, rest = (part.strip() for part in wanted.partition(":"))
    if kind == "file":
        return read_text(folder, rest).strip()
    if kind == "attr":
        module, _, name = rest.rpartition(".")
        return assigned_in(folder, module, name)
    if wanted or "name" not in found:
        return wanted
    module = re.sub(r"\W", "_", str(found["name"]))
    tried = (assigned_in(folder, module + end, "__version__") for end in _MODULES)
    return next((version for version in tried if version), "")


def _groups(value):
    """Return entry points as setuptools takes them: by group, name and target."""
    if isinstance(value, str):
        sections = _sections(value)
        return {name: dict(points) for name, points in sections.items()}
    groups = {}
    for group, lines in value.items() if isinstance(value, dict) else ():
        pairs = (str(line).partition("=") for line in _lines(lines) if "=" in str(line))
        groups[str(group)] = {name.strip(): target.strip() for name, _, target in pairs}
    return groups


def _sections(text):
    config = configparser.ConfigParser(interpolation=None)
    config.optionxform = str
    try:
        config.read_string(text)
    except configparser.Error:
        return {}
    return {name: dict(config[name]) for name in config.sections()}


def _configured(text):
    sections = _sections(text)
    own = {key.replace("-", "_"): it for key, it in sections.get("metadata", {}).items()}
    found = {**own, **sections.get("options", {})}
    found["description"] = own.get("description") or own.get("summary")
    found["url"] = own.get("url") or own.get("home_page")
    for key in ("classifiers", "keywords"):
        found[key] = [it.strip() for it in re.split(r"[\n,]", own.get(key, "")) if it.strip()]
    pairs = (line.partition("=") for line in own.get("project_urls", "").split("\n"))
    found["project_urls"] = {name.strip(): url.strip() for name, sign, url in pairs if sign}
    for key in ("extras_require", "entry_points"):
        if f"options.{key}" in sections:
            found[key] = sections[f"options.{key}"]
    return {key: value for key, value in found.items() if value}


def _called(script):
    """Return what the script gives `setup()`, as far as it is written down."""
    try:
        tree = ast.parse(script)
        calls = [node for node in ast.walk(tree) if _is_setup(node)]
        if not calls:
            return {}
        names = _assigned(tree)
        found = {}
        for argument in max(calls, key=lambda call: len(call.keywords)).keywords:
            try:
                value = _value(argument.value, names)
            except _Unknown:
                value = _file_of(tree) if argument.arg == "install_requires" else None
            given = value if argument.arg is None else {argument.arg: value}
            found.update(given if isinstance(given, dict) else {})
        return {str(key): value for key, value in found.items() if value}
    except SyntaxError, ValueError, RecursionError, MemoryError:
        return {}


def _is_setup(node):
    if not isinstance(node, ast.Call):
        return False
    return getattr(node.func, "id", getattr(node.func, "attr", None)) == "setup"


def _file_of(tree):
    """Return the file of requirements that a script reads."""
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    paths = [it for it in texts if isinstance(it, str) and _REQUIREMENTS.fullmatch(it)]
    return f"file: {min(paths, key=len)}" if paths else None


def _assigned(tree):
    """Return the values of the names that a script assigns once."""
    found, changed = {}, set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case ast.AugAssign(target=ast.Name(id=name)):
                changed.add(name)
                continue
            case _:
                continue
        if name in found:
            changed.add(name)
        found[name] = value
    return {name: value for name, value in found.items() if name not in changed}


def _value(node, names):
    """Return the value of an expression that is written down."""
    match node:
        case ast.Constant():
            return node.value
        case ast.Name() if node.id in names:
            # A name that stands for itself ends with the first look.
            rest = {name: value for name, value in names.items() if name != node.id}
            return _value(names[node.id], rest)
        case ast.List() | ast.Tuple() | ast.Set():
            return [it for part in node.elts for it in _item(part, names)]
        case ast.Dict():
            return _table(node, names)
        case ast.JoinedStr():
            return "".join(str(_value(part, names)) for part in node.values)
        case ast.FormattedValue(conversion=-1, format_spec=None):
            return _value(node.value, names)
        case ast.BinOp(op=ast.Add()):
            return _sum(_value(node.left, names), _value(node.right, names))
        case ast.Call(func=ast.Name(id="dict"), args=[]):
            return {it.arg: _value(it.value, names) for it in node.keywords if it.arg}
        case ast.Call(func=ast.Attribute(attr=method), args=[]) if method in _METHODS:
            text = _value(node.func.value, names)
            if isinstance(text, str):
                return getattr(text, method)()
    raise _Unknown


def _sum(left, right):
    if type(left) is type(right) and isinstance(left, str | list):
        return left + right
    raise _Unknown


def _item(node, names):
    """Yield what an element of a list stands for; nothing where that is unknown."""
    try:
        if isinstance(node, ast.Starred):
            yield from _value(node.value, names) or ()
        else:
            yield _value(node, names)
    except _Unknown, TypeError:
        return


def _table(node, names):
    found = {}
    for key, value in zip(node.keys, node.values, strict=True):
        try:
            given = _value(value, names)
            found.update(given if key is None else {_value(key, names): given})
        except _Unknown, TypeError, ValueError:
            continue
    return found
