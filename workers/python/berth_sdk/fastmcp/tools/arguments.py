"""What becomes of the arguments of a tool of which another one is made."""

import dataclasses
import typing

from berth_runtime.model import TypeAdapter

from .tool import UNSET

NotSet = UNSET


@dataclasses.dataclass(kw_only=True)
class ArgTransform:
    """What becomes of one argument. A hidden one is filled by its default."""

    name: typing.Any = NotSet
    description: typing.Any = NotSet
    default: typing.Any = NotSet
    default_factory: typing.Any = NotSet
    type: typing.Any = NotSet
    hide: bool = False
    required: typing.Any = NotSet
    examples: typing.Any = NotSet

    def __post_init__(self):
        has_default, has_factory = self.default is not NotSet, self.default_factory is not NotSet
        if has_default and has_factory:
            raise ValueError(
                "Cannot specify both 'default' and 'default_factory' in ArgTransform. "
                "Use either 'default' for a static value or 'default_factory' for a callable."
            )
        if has_factory and not self.hide:
            raise ValueError(
                "default_factory can only be used with hide=True. "
                "Visible parameters must use static 'default' values since JSON schema "
                "cannot represent dynamic factories."
            )
        if self.required is True and (has_default or has_factory):
            raise ValueError(
                "Cannot specify 'required=True' with 'default' or 'default_factory'. "
                "Required parameters cannot have defaults."
            )
        if self.hide and self.required is True:
            raise ValueError(
                "Cannot specify both 'hide=True' and 'required=True'. "
                "Hidden parameters cannot be required since clients cannot provide them."
            )
        if self.required is False:
            raise ValueError("Cannot specify 'required=False'. Set a default value instead.")

    def value(self):
        """Return the default, made anew where a function makes it; NotSet without one."""
        return self.default_factory() if self.default_factory is not NotSet else self.default

    def applied(self, name, schema, required):
        """Return name, schema and necessity of the argument."""
        schema = dict(schema)
        if self.description is None:
            schema.pop("description", None)
        elif self.description is not NotSet:
            schema["description"] = self.description
        if self.required is True:
            required = True
            schema.pop("default", None)
        elif self.default is not NotSet:
            required = False
            schema["default"] = self.default
        if self.type is not NotSet:
            schema.update(TypeAdapter(self.type).json_schema())
        if self.examples is not NotSet:
            schema["examples"] = self.examples
        return self.name if isinstance(self.name, str) else name, schema, required


class Config:
    """What configuration files say; what is not given stays as it is."""

    names = ()

    def __init__(self, **given):
        unknown = set(given) - set(self.names)
        if unknown:
            raise ValueError(f"Unknown fields: {', '.join(sorted(unknown))}")
        self.given = given

    def __getattr__(self, name):
        if name in type(self).names:
            return self.__dict__.get("given", {}).get(name)
        raise AttributeError(name)


class ArgTransformConfig(Config):
    """What becomes of one argument, in a configuration."""

    names = ("name", "description", "default", "hide", "required", "examples")

    def to_arg_transform(self):
        """Return the transformation."""
        return ArgTransform(**self.given)
