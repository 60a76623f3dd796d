"""Functions whose arguments are validated by their annotations."""

import functools
import inspect

from .compile import compile_field
from .errors import Invalid, ValidationError
from .fields import UNDEFINED, declare
from .nodes.scalars import LAX


def validated(function):
    """Return the function with its arguments validated before each call."""
    signature = inspect.signature(function, eval_str=True)
    nodes = {
        name: compile_field(declare(parameter.annotation))
        for name, parameter in signature.parameters.items()
        if parameter.annotation is not parameter.empty
    }

    @functools.wraps(function)
    def call(*arguments, **named):
        bound = signature.bind(*arguments, **named)
        lines = []
        for name, value in bound.arguments.items():
            if name in nodes and value is not UNDEFINED:
                try:
                    bound.arguments[name] = nodes[name].validate(value, LAX)
                except Invalid as error:
                    lines.extend(line.under(name) for line in error.lines)
        if lines:
            raise ValidationError(function.__name__, lines)
        return function(*bound.args, **bound.kwargs)

    return call
