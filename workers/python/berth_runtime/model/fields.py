"""Field declarations: `Field(...)`, `Annotated[...]` metadata and defaults, merged into one."""

import types
import typing

CONSTRAINTS = (
    "gt",
    "ge",
    "lt",
    "le",
    "multiple_of",
    "min_length",
    "max_length",
    "pattern",
    "strict",
    "allow_inf_nan",
    "max_digits",
    "decimal_places",
    "strip_whitespace",
    "to_lower",
    "to_upper",
)
_NO_FIELD = ("strip_whitespace", "to_lower", "to_upper")
"""Constraints of `StringConstraints` that `Field` does not have."""
PLAIN = (
    "alias",
    "validation_alias",
    "serialization_alias",
    "title",
    "description",
    "examples",
    "json_schema_extra",
    "exclude",
    "frozen",
    "discriminator",
    "deprecated",
    "repr",
    "init",
    "kw_only",
    "validate_default",
)


class _Undefined:
    """The absence of a default value."""

    def __repr__(self):
        return "PydanticUndefined"

    def __bool__(self):
        return False

    def __copy__(self):
        return self

    def __deepcopy__(self, _memo):
        return self


UNDEFINED = _Undefined()


class FieldInfo:
    """What is declared about one field or parameter. Attributes not given are None."""

    def __init__(self, default=UNDEFINED, *, default_factory=None, **given):
        self.default = UNDEFINED if default is ... else default
        self.default_factory = default_factory
        self.annotation = None
        self.metadata = []
        self.constraints = {}
        self.given = set()
        extra = {}
        for key, value in given.items():
            if value is UNDEFINED:
                continue
            if key == "regex":
                key = "pattern"
            if key in CONSTRAINTS and key not in _NO_FIELD:
                if value is not None:
                    self.constraints[key] = getattr(value, "pattern", value)
            elif key in ("min_items", "max_items"):
                self.constraints[key.replace("items", "length")] = value
            elif key in PLAIN:
                setattr(self, key, value)
                self.given.add(key)
            else:
                extra[key] = value
        if extra and self.json_schema_extra is None:
            self.json_schema_extra = extra
            self.given.add("json_schema_extra")

    def is_required(self):
        """Return whether a value has to be given."""
        return self.default is UNDEFINED and self.default_factory is None

    def get_default(self, *, call_default_factory=True, **_):
        """Return a fresh default value; mutable defaults are copied."""
        if self.default_factory is not None:
            return self.default_factory() if call_default_factory else None
        if isinstance(self.default, (list, dict, set)):
            return self.default.copy()
        return self.default

    def merge(self, other):
        """Take over everything that `other` declares."""
        for key in other.given:
            setattr(self, key, getattr(other, key))
        self.given |= other.given
        self.constraints.update(other.constraints)
        self.metadata.extend(other.metadata)
        if not other.is_required():
            self.default = other.default
            self.default_factory = other.default_factory
        return self

    def __repr__(self):
        return f"FieldInfo(annotation={self.annotation!r}, required={self.is_required()})"


for _key in PLAIN:
    setattr(FieldInfo, _key, None)


def Field(default=UNDEFINED, **given):  # noqa: N802 - the name servers use
    """Declare default, description, constraints and aliases of a field or parameter."""
    return FieldInfo(default, **given)


def constraints_of(item):
    """Return the constraints that a metadata object such as `Gt(1)` or `Len(1, 3)` stands for."""
    found = {}
    for key in CONSTRAINTS:
        value = getattr(item, key, None)
        if value is not None:
            found[key] = getattr(value, "pattern", value)
    # `Len(0, 3)` has a bound that is none; `MinLen(0)` means what it says.
    if found.get("min_length") == 0 and "max_length" in vars_of(item):
        del found["min_length"]
    return found


def vars_of(item):
    """Return the names of the attributes of a metadata object."""
    return set(getattr(type(item), "__dataclass_fields__", ()))


def unwrap(annotation):
    """Split nested `Annotated` into the plain annotation and its metadata, innermost first."""
    metadata = []
    # Most have none; asking `typing` costs far more.
    while hasattr(annotation, "__metadata__") and typing.get_origin(annotation) is typing.Annotated:
        inner, *items = typing.get_args(annotation)
        metadata = [*items, *metadata]
        annotation = inner
    return annotation, metadata


def declare(annotation, default=UNDEFINED):
    """Merge an annotation, its metadata and a default (maybe a `Field(...)`) into a FieldInfo."""
    from .nodes.foreign import native

    plain, metadata = unwrap(annotation)
    field = FieldInfo()
    default = native(default)
    for item in map(native, metadata):
        if isinstance(item, FieldInfo):
            field.merge(item)
        else:
            field.metadata.append(item)
    if isinstance(default, FieldInfo):
        field.merge(default)
    elif default is not UNDEFINED and default is not ...:
        field.default = default
        field.default_factory = None
    field.annotation = plain
    return field


def is_named(annotation):
    """Return whether something in an annotation is only named: quoted, not evaluated."""
    if isinstance(annotation, (str, typing.ForwardRef)):
        return True
    if typing.get_origin(annotation) is typing.Literal:
        return False
    inner = typing.get_args(annotation)
    if typing.get_origin(annotation) is typing.Annotated:
        inner = inner[:1]
    return any(
        is_named(item) or isinstance(item, list) and any(map(is_named, item)) for item in inner
    )


def resolved(annotation, names):
    """Return an annotation with what is quoted in it evaluated; raises NameError."""
    while isinstance(annotation, str):
        annotation = eval(annotation, dict(names))
    if not is_named(annotation):
        return annotation
    holder = types.SimpleNamespace(__annotations__={"it": annotation})
    return typing.get_type_hints(holder, dict(names), include_extras=True)["it"]


def substitute(annotation, arguments):
    """Replace type variables in an annotation."""
    if not arguments:
        return annotation
    if isinstance(annotation, typing.TypeVar):
        return arguments.get(annotation, annotation)
    parameters = getattr(annotation, "__parameters__", ())
    if parameters:
        return annotation[tuple(arguments.get(item, item) for item in parameters)]
    return annotation
