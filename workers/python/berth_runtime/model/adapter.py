"""`TypeAdapter`, `RootModel`, and `create_model`, built on the rest."""

import json
import typing

from .base import BaseModel
from .compile import compile_field
from .dump import encode, to_jsonable
from .errors import Invalid, ValidationError
from .fields import UNDEFINED, FieldInfo, declare
from .nodes.scalars import LAX, STRICT
from .output import Options, _value
from .schema import json_schema


class TypeAdapter:
    """Validation, writing and JSON Schema of any supported type."""

    def __init__(self, type, **_):  # noqa: A002 - the name callers use
        self._type = type
        self._node = compile_field(declare(type))

    def validate_python(self, value, *, strict=None, **_):
        """Return the accepted value; raises ValidationError."""
        try:
            return self._node.validate(value, STRICT if strict else LAX)
        except Invalid as error:
            title = getattr(self._type, "__name__", None) or self._node.tag
            raise ValidationError(title, error.lines) from None

    def validate_json(self, data, **options):
        """Validate JSON text."""
        return self.validate_python(json.loads(data), **options)

    def dump_python(self, value, **options):
        """Return the value as plain data."""
        return _value(value, Options.of(options))

    def dump_json(self, value, *, indent=None, **_):
        """Return the value as JSON bytes."""
        return encode(to_jsonable(value), indent=indent).encode()

    def json_schema(self, **_):
        """Return the JSON Schema of the type."""
        return json_schema(self._node)


_Root = typing.TypeVar("_Root")


class RootModel(BaseModel, typing.Generic[_Root]):
    """A model of one bare value, `root`."""

    __berth_root__ = True
    __berth_variable__ = _Root
    root: _Root

    def __class_getitem__(cls, arguments):
        return BaseModel.__class_getitem__.__func__(cls, arguments)

    def __init__(self, root=UNDEFINED, /, **data):
        super().__init__(**({"root": root} if root is not UNDEFINED else {"root": data}))


def create_model(name, /, *, __base__=None, __module__=None, __doc__=None, **fields):
    """Return a new model class; a field is `(type, default)` or a type or a default."""
    annotations, namespace = {}, {"__module__": __module__ or __name__}
    config = fields.pop("__config__", None)
    fields.pop("__validators__", None)
    if config:
        namespace["model_config"] = dict(config)
    if __doc__:
        namespace["__doc__"] = __doc__
    for key, value in fields.items():
        if isinstance(value, tuple):
            annotations[key] = value[0]
            if len(value) > 1 and value[1] is not ...:
                namespace[key] = value[1]
        elif isinstance(value, type) or typing.get_origin(value) is not None:
            annotations[key] = value
        else:
            annotations[key] = typing.Any if isinstance(value, FieldInfo) else type(value)
            namespace[key] = value
    namespace["__annotations__"] = annotations
    bases = __base__ if isinstance(__base__, tuple) else (__base__ or BaseModel,)
    return type(BaseModel)(name, bases, namespace)
