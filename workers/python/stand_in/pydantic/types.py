"""Constrained types."""

import datetime
import decimal
import json
import pathlib
import uuid
from typing import Annotated, Any, TypeAliasType

from berth_runtime.model.errors import Unlisted, invalid
from berth_runtime.model.fields import FieldInfo
from berth_runtime.model.functions import BeforeValidator, WithJsonSchema, WrapValidator


class StringConstraints:
    """Constraints of text."""

    def __init__(self, **constraints):
        self.__dict__.update(constraints)


class AliasChoices:
    """Several names for one field in input."""

    def __init__(self, *choices):
        self.choices = choices


class Strict:
    """No conversion."""

    strict = True


class SecretStr:
    """Text that is not shown."""

    def __init__(self, value=""):
        self._value = value

    def get_secret_value(self):
        """Return the text."""
        return self._value

    def __repr__(self):
        return "SecretStr('**********')" if self._value else "SecretStr('')"

    def __str__(self):
        return "**********" if self._value else ""

    @classmethod
    def __berth_node__(cls):
        from berth_runtime.model.nodes.containers import CheckedNode
        from berth_runtime.model.nodes.scalars import StrNode

        shape = {"type": "string", "format": "password", "writeOnly": True}

        def change(value, validate):
            return value if isinstance(value, cls) else cls(validate(value))

        return CheckedNode(StrNode(), change, shape)


def constr(**constraints):
    """Return a type of constrained text."""
    return Annotated[str, StringConstraints(**constraints)]


def conint(**constraints):
    """Return a type of constrained integers."""
    return Annotated[int, FieldInfo(**constraints)]


def confloat(**constraints):
    """Return a type of constrained floats."""
    return Annotated[float, FieldInfo(**constraints)]


def conlist(item, **constraints):
    """Return a type of constrained lists."""
    return Annotated[list[item], FieldInfo(**constraints)]


def conset(item, **constraints):
    """Return a type of constrained sets."""
    return Annotated[set[item], FieldInfo(**constraints)]


def confrozenset(item, **constraints):
    """Return a type of constrained frozen sets."""
    return Annotated[frozenset[item], FieldInfo(**constraints)]


def conbytes(**constraints):
    """Return a type of constrained bytes."""
    return Annotated[bytes, FieldInfo(**constraints)]


def condecimal(**constraints):
    """Return a type of constrained decimals."""
    return Annotated[decimal.Decimal, FieldInfo(**constraints)]


def condate(**constraints):
    """Return a type of constrained dates."""
    return Annotated[datetime.date, FieldInfo(**constraints)]


def _moment(kind, holds, name, words):
    """Return a date or moment that has to keep a rule, which a fault tells as `words`."""

    def check(value, validate):
        made = validate(value)
        if not holds(made):
            raise invalid(name, words, value)
        return made

    return Annotated[kind, WrapValidator(check)]


def _now(value):
    if isinstance(value, datetime.datetime):
        return datetime.datetime.now(value.tzinfo)
    return datetime.date.today()


def _identifier(version):
    """Return the UUIDs of one version."""

    def check(value, validate):
        made = validate(value)
        if made.version != version:
            text = f"UUID version {version} expected"
            raise invalid("uuid_version", text, value, expected_version=version)
        return made

    shape = WithJsonSchema({"type": "string", "format": f"uuid{version}"})
    return Annotated[uuid.UUID, WrapValidator(check), shape]


def _path(holds, name, text, fmt):
    """Return the paths for which something holds in the session's files."""

    def check(value, validate):
        made = validate(value)
        if not holds(made):
            raise invalid(Unlisted(name), text, value)
        return made

    shape = WithJsonSchema({"type": "string", "format": fmt})
    return Annotated[pathlib.Path, WrapValidator(check), shape]


def _parsed(value):
    try:
        return json.loads(value)
    except TypeError:
        raise invalid(
            "json_type", "JSON input should be string, bytes or bytearray", value
        ) from None
    except ValueError as error:
        text = f"Invalid JSON: {error}"
        raise invalid("json_invalid", text, value, error=str(error)) from None


class Json:
    """A value that is given as JSON text."""

    def __class_getitem__(cls, kind):
        from berth_runtime.model.adapter import TypeAdapter

        shape = {"type": "string", "contentMediaType": "application/json"}
        shape["contentSchema"] = TypeAdapter(kind).json_schema()
        return Annotated[kind, BeforeValidator(_parsed), WithJsonSchema(shape)]

    @classmethod
    def __berth_node__(cls):
        from berth_runtime.model.compile import compile_type

        return compile_type(cls[Any])


PastDate = _moment(
    datetime.date, lambda it: it < _now(it), "date_past", "Date should be in the past"
)
FutureDate = _moment(
    datetime.date, lambda it: it > _now(it), "date_future", "Date should be in the future"
)
PastDatetime = _moment(
    datetime.datetime, lambda it: it < _now(it), "datetime_past", "Input should be in the past"
)
FutureDatetime = _moment(
    datetime.datetime, lambda it: it > _now(it), "datetime_future", "Input should be in the future"
)
AwareDatetime = _moment(
    datetime.datetime, lambda it: it.tzinfo, "timezone_aware", "Input should have timezone info"
)
NaiveDatetime = _moment(
    datetime.datetime,
    lambda it: not it.tzinfo,
    "timezone_naive",
    "Input should not have timezone info",
)
UUID1, UUID3, UUID4, UUID5, UUID6, UUID7, UUID8 = map(_identifier, (1, 3, 4, 5, 6, 7, 8))
FilePath = _path(
    pathlib.Path.is_file, "path_not_file", "Path does not point to a file", "file-path"
)
DirectoryPath = _path(
    pathlib.Path.is_dir,
    "path_not_directory",
    "Path does not point to a directory",
    "directory-path",
)
JsonValue = TypeAliasType("JsonValue", Any)
FiniteFloat = Annotated[float, FieldInfo(allow_inf_nan=False)]
NonPositiveFloat = Annotated[float, FieldInfo(le=0)]
StrictBytes = Annotated[bytes, Strict()]
PositiveInt = Annotated[int, FieldInfo(gt=0)]
NonNegativeInt = Annotated[int, FieldInfo(ge=0)]
NegativeInt = Annotated[int, FieldInfo(lt=0)]
NonPositiveInt = Annotated[int, FieldInfo(le=0)]
PositiveFloat = Annotated[float, FieldInfo(gt=0)]
NonNegativeFloat = Annotated[float, FieldInfo(ge=0)]
NegativeFloat = Annotated[float, FieldInfo(lt=0)]
StrictStr = Annotated[str, Strict()]
StrictInt = Annotated[int, Strict()]
StrictFloat = Annotated[float, Strict()]
StrictBool = Annotated[bool, Strict()]
EmailStr = str

_NOT_OURS = {"Annotated", "Any", "BeforeValidator", "FieldInfo", "TypeAliasType", "Unlisted"}
__all__ = [
    name
    for name in globals()
    if (name[0].isupper() or name.startswith("con")) and name not in _NOT_OURS
]
