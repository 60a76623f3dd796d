"""Iterables: their items are validated one by one, when they are asked for."""

import collections.abc

from ..errors import Invalid, ValidationError, invalid
from .scalars import Node


class IterableNode(Node):
    """Accepts anything that can be iterated; an item is validated when it is asked for."""

    def __init__(self, item):
        self.item = item
        self.tag = "generator"

    def validate(self, value, mode):
        if not isinstance(value, collections.abc.Iterable):
            raise invalid("iterable_type", "Input should be iterable", value)
        return ValidatorIterator(self.item, value, mode)

    def schema(self, generator):
        return {"type": "array", "items": self.item.schema(generator)}


_ITEMS = {
    "int": "Int(IntValidator { strict: false })",
    "str": "Str(StrValidator { strict: false, coerce_numbers_to_str: false })",
    "float": "Float(FloatValidator { strict: false, allow_inf_nan: true })",
    "bool": "Bool(BoolValidator { strict: false })",
}


class ValidatorIterator:
    """Iterates once over validated items; one that is not valid raises ValidationError."""

    def __init__(self, node, values, mode):
        self.index = 0
        self._node = node
        self._values = iter(values)
        self._mode = mode

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self._values)
        self.index += 1
        try:
            return self._node.validate(value, self._mode)
        except Invalid as error:
            lines = [line.under(self.index - 1) for line in error.lines]
            raise ValidationError(type(self).__name__, lines) from None

    def __repr__(self):
        tag = self._node.tag
        schema = "None" if tag == "any" else f"Some({_ITEMS.get(tag, tag)})"
        return f"ValidatorIterator(index={self.index}, schema={schema})"
