"""Metadata that changes how a value is validated: validators, `WithJsonSchema` and the like."""

from .errors import Invalid, ValidationError, invalid
from .fields import constraints_of
from .nodes.containers import CheckedNode


class BeforeValidator:
    """Call a function on the input before it is validated."""

    def __init__(self, func, **_):
        self.func = func

    def __call__(self, value, validate):
        return validate(guarded(self.func, value, value))


class AfterValidator:
    """Call a function on the validated value."""

    def __init__(self, func):
        self.func = func

    def __call__(self, value, validate):
        return guarded(self.func, value, validate(value))


class PlainValidator:
    """Let a function validate the input in place of its type."""

    def __init__(self, func, **_):
        self.func = func

    def __call__(self, value, _validate):
        return guarded(self.func, value, value)


class WrapValidator:
    """Let a function validate, with the ordinary validation as its second argument."""

    def __init__(self, func):
        self.func = func

    def __call__(self, value, validate):
        return guarded(self.func, value, value, validate)


class WithJsonSchema:
    """Replace the JSON Schema of a type."""

    def __init__(self, json_schema, mode=None):
        self.json_schema = json_schema
        self.mode = mode


def guarded(func, given, *args):
    """Call a validator and turn its ValueError and AssertionError into validation faults."""
    try:
        return func(*args)
    except Invalid, ValidationError:
        raise
    except ValueError as error:
        raise invalid("value_error", f"Value error, {error}", given, error=error) from None
    except AssertionError as error:
        raise invalid("assertion_error", f"Assertion failed, {error}", given) from None


def apply_metadata(node, metadata):
    """Apply the items of `Annotated[...]` to a node, in the order written."""
    for item in metadata:
        if isinstance(item, (BeforeValidator, AfterValidator, PlainValidator, WrapValidator)):
            node = CheckedNode(node, item)
        elif isinstance(item, WithJsonSchema):
            node = CheckedNode(node, _unchanged, item.json_schema)
        else:
            hook = getattr(item, "__berth_node__", None)
            if hook is not None:
                node = hook(node)
                continue
            constraints = constraints_of(item)
            if constraints:
                node = node.with_constraints(constraints)
    return node


def _unchanged(value, validate):
    return validate(value)


def apply_node_hook(annotation):
    """Return the node that a class of Berth's own makes for itself, else None."""
    hook = getattr(annotation, "__berth_node__", None)
    return hook() if hook is not None and isinstance(annotation, type) else None
