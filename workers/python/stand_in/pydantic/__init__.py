"""Stand-in for pydantic: models, fields, validation and JSON Schema by Berth's own code."""
# ruff: noqa: F401 - the names are there to be imported by servers

from berth_runtime.model.adapter import RootModel, TypeAdapter, create_model
from berth_runtime.model.base import BaseModel
from berth_runtime.model.declared import PrivateAttr
from berth_runtime.model.errors import ValidationError
from berth_runtime.model.fields import Field
from berth_runtime.model.functions import (
    AfterValidator,
    BeforeValidator,
    PlainValidator,
    WithJsonSchema,
    WrapValidator,
)
from berth_runtime.model.nodes.urls import HttpUrl, Url
from berth_runtime.model.validators import (
    ValidationInfo,
    computed_field,
    field_serializer,
    field_validator,
    model_serializer,
    model_validator,
    root_validator,
    validator,
)

from .dataclasses import dataclass
from .types import *  # noqa: F403 - constrained types are offered here too

AnyUrl = Url
AnyHttpUrl = HttpUrl
VERSION = __version__ = "2.14.4"


class ConfigDict(dict):
    """Options of a model."""


def validate_call(function=None, **_):
    """Validate the arguments of a function by its annotations."""
    from berth_runtime.model.calls import validated

    return validated if function is None else validated(function)


__all__ = [name for name in globals() if not name.startswith("_")]
