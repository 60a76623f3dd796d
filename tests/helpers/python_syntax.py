"""What a module says, by CPython's own parser: the facts that `python_syntax.ts` reads from ours."""

import ast
import json


def facts(source):
    """Return the facts of a text, sorted; None where it is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=func, lineno=line):
                name = getattr(func, "attr", None) or getattr(func, "id", "")
                found.append(f"call {name} {line}")
            case ast.Attribute(attr=attr, end_lineno=line):
                found.append(f"attribute {attr} {line}")
            case ast.Import(names=names, lineno=line):
                found.extend(f"import {each.name} {line}" for each in names)
            case ast.ImportFrom(names=names, module=module, level=level, lineno=line):
                source_of = "." * level + (module or "")
                found.extend(f"from {source_of} {each.name} {line}" for each in names)
            case ast.FunctionDef(name=name, lineno=line) | ast.AsyncFunctionDef(name=name, lineno=line):
                found.append(f"def {name} {line}")
            case ast.ClassDef(name=name, lineno=line):
                found.append(f"class {name} {line}")
            case ast.keyword(arg=str(arg), lineno=line):
                found.append(f"keyword {arg} {line}")
            case ast.Constant(value=str(value), lineno=line) if not hasattr(node, "in_format"):
                found.append(f"string {json.dumps(value)} {line}")
            case ast.JoinedStr(values=values) | ast.TemplateStr(values=values):
                for each in values:
                    each.in_format = True
        if isinstance(node, (ast.FormattedValue, ast.Interpolation)):
            spec = node.format_spec
            for each in spec.values if spec else ():
                each.in_format = True
    return sorted(set(found))


def many(sources: str) -> str:
    """Return the facts of each of a JSON list of texts, as JSON."""
    return json.dumps([facts(source) for source in json.loads(sources)])
