"""JSON Schema (2020-12) of compiled nodes, laid out as pydantic lays it out."""

from .dump import to_jsonable

_PREFIX = "#/$defs/"
_UNSORTED = ("properties", "default")


class Generator:
    """Collects the named definitions that a schema refers to.

    `writing` describes what is written instead of what is accepted.
    """

    def __init__(self, writing=False):
        self.writing = writing
        self.definitions = {}
        self._names = {}

    def reference(self, key, build):
        """Return a `$ref` to the definition of `key` (a class), building it the first time."""
        name = self._names.get(key)
        if name is None:
            name = self._name(key)
            self._names[key] = name
            self.definitions[name] = {}
            self.definitions[name] = build(self)
        return {"$ref": _PREFIX + name}

    def _name(self, key):
        name = "".join(c if c.isalnum() or c in "._-" else "_" for c in key.__name__)
        if name not in self._names.values():
            return name
        return (
            f"{key.__module__}__{key.__qualname__}".replace(".", "__")
            .replace("<", "_")
            .replace(">", "_")
        )


def json_schema(node, *, title=None, writing=False):
    """Return the complete JSON Schema of a node with its `$defs`."""
    generator = Generator(writing)
    top = dict(node.schema(generator))
    definitions = generator.definitions
    target = top.get("$ref", "")
    if set(top) == {"$ref"} and _count(definitions, target) == 0:
        top = definitions.pop(target.removeprefix(_PREFIX))
    if definitions:
        top["$defs"] = definitions
    if title is not None:
        top.setdefault("title", title)
    return in_order(top)


def title_of(name):
    """Return the title that a field of this name gets."""
    return name.title().replace("_", " ").strip()


def describe(shape, info, name, titled):
    """Add title, default, description and the rest of a field's declaration to its schema."""
    shape = dict(shape)
    if info is not None:
        if not info.is_required() and info.default_factory is None:
            try:
                shape["default"] = to_jsonable(info.default, strict=True)
            except TypeError, ValueError:
                pass  # a default that JSON cannot hold is left out, as pydantic does
        for key in ("title", "description", "examples", "deprecated"):
            value = getattr(info, key)
            if value is not None:
                shape[key] = bool(value) if key == "deprecated" else value
    if titled and "title" not in shape:
        shape["title"] = title_of(name)
    extra = info.json_schema_extra if info is not None else None
    if callable(extra):
        extra(shape)
    elif extra:
        shape.update(to_jsonable(extra))
    return shape


def _count(value, target):
    """Count the references to `target` inside a value."""
    if isinstance(value, dict):
        here = 1 if value.get("$ref") == target else 0
        return here + sum(_count(item, target) for item in value.values())
    if isinstance(value, list):
        return sum(_count(item, target) for item in value)
    return 0


def in_order(value, parent=None):
    """Return a schema with its keys in pydantic's order: by name, but fields as declared."""
    if isinstance(value, dict):
        keys = value if parent in _UNSORTED else sorted(value)
        if parent == "default":
            return value
        return {
            key: in_order(item, key if parent != "properties" else None)
            if isinstance(item := value[key], (dict, list))
            else item
            for key in keys
        }
    if isinstance(value, list):
        return [in_order(item, parent) for item in value]
    return value
