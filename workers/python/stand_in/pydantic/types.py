"""Constrained types."""

from typing import Annotated

from berth_runtime.model.fields import FieldInfo


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
        from berth_runtime.model.containers import CheckedNode
        from berth_runtime.model.scalars import StrNode

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

__all__ = [name for name in globals() if name[0].isupper() or name.startswith("con")]
