"""Fields, under pydantic's name for their module."""

from berth_runtime.model.fields import Field, FieldInfo
from berth_runtime.model.fields import UNDEFINED as PydanticUndefined

__all__ = ["Field", "FieldInfo", "PydanticUndefined"]
