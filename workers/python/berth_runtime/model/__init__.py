"""Berth's own validation and JSON Schema: the part of pydantic's behaviour that servers use.

An annotation is compiled to a node (`compile_type`), which validates, converts and describes. The
`pydantic` stand-in, the models of `mcp.types` and the tools of both SDK modules share it.
"""

from .adapter import RootModel, TypeAdapter, create_model
from .base import BaseModel
from .dump import to_json, to_jsonable
from .errors import ValidationError
from .fields import UNDEFINED, Field, FieldInfo
from .nodes.urls import HttpUrl, Url
from .unsupported import NoSchema

__all__ = [
    "UNDEFINED",
    "BaseModel",
    "Field",
    "FieldInfo",
    "HttpUrl",
    "NoSchema",
    "RootModel",
    "TypeAdapter",
    "Url",
    "ValidationError",
    "create_model",
    "to_json",
    "to_jsonable",
]
