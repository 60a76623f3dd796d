"""Models of another library (a real pydantic, when a server brings one)."""

from .errors import Invalid, Line
from .scalars import Node


class ForeignNode(Node):
    """A class that validates and describes itself with pydantic's method names."""

    titled = False

    def __init__(self, kind):
        self.kind = kind
        self.tag = kind.__name__

    def validate(self, value, mode):
        if isinstance(value, self.kind):
            return value
        try:
            return self.kind.model_validate(value)
        except ValueError as error:
            raise Invalid(_lines(error, value)) from None

    def schema(self, generator):
        return generator.reference(self.kind, self._definition)

    def _definition(self, generator):
        shape = self.kind.model_json_schema()
        generator.definitions.update(shape.pop("$defs", {}))
        return shape


def _lines(error, value):
    listed = getattr(error, "errors", None)
    if not callable(listed):
        return [Line("value_error", f"Value error, {error}", value)]
    return [Line(item["type"], item["msg"], item["input"], item["loc"]) for item in listed()]
