"""Nodes for lists, tuples, sets and dictionaries."""

import collections
import collections.abc

from ..errors import Invalid, Line, invalid
from .scalars import EXACT, LAX, Node


class _Sized(Node):
    """A container whose length may be bounded."""

    kind = "List"

    def sized(self, items, value):
        """Raise `Invalid` unless the number of items keeps the bounds; return the items."""
        least, most = self.constraints.get("min_length"), self.constraints.get("max_length")
        if least is not None and len(items) < least:
            raise invalid(
                "too_short",
                f"{self.kind} should have at least {_items(least)} after validation, "
                f"not {len(items)}",
                value,
                field_type=self.kind,
                min_length=least,
                actual_length=len(items),
            )
        if most is not None and len(items) > most:
            actual = len(items) if self.kind in ("List", "Tuple") else "more"
            raise invalid(
                "too_long",
                f"{self.kind} should have at most {_items(most)} after validation, not {actual}",
                value,
                field_type=self.kind,
                max_length=most,
                actual_length=len(items),
            )
        return items

    def not_too_many(self, items, value):
        """Raise `Invalid` for too many items before any of them is looked at."""
        most = self.constraints.get("max_length")
        if most is not None and len(items) > most:
            self.sized(items, value)

    def size_keywords(self, noun):
        """Return minItems/maxItems or minProperties/maxProperties."""
        names = {"min_length": f"min{noun}", "max_length": f"max{noun}"}
        return {
            name: self.constraints[key] for key, name in names.items() if key in self.constraints
        }


def _items(count):
    return f"{count} item" if count == 1 else f"{count} items"


def _validate_each(node, values, mode):
    """Validate all values with one node and collect the faults of all of them."""
    accepted, lines = [], []
    for index, value in enumerate(values):
        try:
            accepted.append(node.validate(value, mode))
        except Invalid as error:
            lines.extend(line.under(index) for line in error.lines)
    if lines:
        raise Invalid(lines)
    return accepted


def _elements(value, exact, mode):
    """Return the elements of a list-like value or None when it is not list-like."""
    if isinstance(value, exact):
        return value
    if mode != LAX or isinstance(value, (str, bytes, bytearray, collections.abc.Mapping)):
        return None
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        return value
    if isinstance(value, (collections.abc.Iterator, collections.abc.ValuesView)):
        return list(value)
    if isinstance(value, (collections.abc.KeysView, collections.abc.ItemsView, range)):
        return list(value)
    return None


class ListNode(_Sized):
    """A list of one item type; `item` may be None for anything."""

    kind = "List"
    fault = ("list_type", "list")

    def __init__(self, item, tag="list", make=list):
        self.item = item
        self.make = make
        self.tag = f"{tag}[{item.tag}]" if item else f"{tag}[any]"

    def validate(self, value, mode):
        elements = _elements(value, list, mode)
        if elements is None:
            kind, name = self.fault
            raise invalid(kind, f"Input should be a valid {name}", value)
        self.not_too_many(elements, value)
        accepted = _validate_each(self.item, elements, mode) if self.item else list(elements)
        return self.make(self.sized(accepted, value))

    def schema(self, generator):
        items = self.item.schema(generator) if self.item else {}
        return {"type": "array", "items": items, **self.size_keywords("Items")}


class DequeNode(ListNode):
    """A double-ended queue."""

    fault = ("deque_type", "deque")

    def __init__(self, item):
        super().__init__(item, "deque", collections.deque)


class SequenceNode(ListNode):
    """Any sequence but text; lists and tuples stay what they are."""

    def validate(self, value, mode):
        if isinstance(value, (str, bytes)):
            name = type(value).__name__
            text = f"'{name}' instances are not allowed as a Sequence value"
            raise invalid("sequence_str", text, value)
        if not isinstance(value, collections.abc.Sequence):
            raise invalid("is_instance_of", "Input should be an instance of Sequence", value)
        accepted = _validate_each(self.item, value, mode) if self.item else list(value)
        return tuple(accepted) if isinstance(value, tuple) else accepted


class SetNode(_Sized):
    """A set or frozenset."""

    def __init__(self, item, make=set):
        self.item = item
        self.make = make
        self.kind = "Set" if make is set else "Frozenset"
        name = "set" if make is set else "frozenset"
        self.tag = f"{name}[{item.tag}]" if item else f"{name}[any]"

    def validate(self, value, mode):
        elements = _elements(value, self.make, mode)
        if elements is None:
            kind = "set_type" if self.make is set else "frozen_set_type"
            raise invalid(kind, f"Input should be a valid {self.make.__name__}", value)
        accepted = _validate_each(self.item, elements, mode) if self.item else elements
        lines = [
            Line("set_item_not_hashable", "Set items should be hashable", item, (index,))
            for index, item in enumerate(accepted)
            if not _is_hashable(item)
        ]
        if lines:
            raise Invalid(lines)
        return self.sized(self.make(accepted), value)

    def schema(self, generator):
        items = self.item.schema(generator) if self.item else {}
        size = self.size_keywords("Items")
        return {"type": "array", "uniqueItems": True, "items": items, **size}


def _is_hashable(item):
    try:
        hash(item)
    except TypeError:
        return False
    return True


class TupleNode(_Sized):
    """A tuple: of a fixed list of types, or (`rest`) of any number of one type."""

    kind = "Tuple"

    def __init__(self, items=(), rest=None):
        self.items = tuple(items)
        self.rest = rest
        inner = [item.tag for item in self.items] if rest is None else [rest.tag, "..."]
        self.tag = f"tuple[{', '.join(inner)}]"

    def validate(self, value, mode):
        elements = _elements(value, tuple, mode)
        if elements is None:
            raise invalid("tuple_type", "Input should be a valid tuple", value)
        if self.rest is not None:
            self.not_too_many(elements, value)
            return tuple(self.sized(_validate_each(self.rest, elements, mode), value))
        return tuple(self._fixed(list(elements), value, mode))

    def _fixed(self, elements, value, mode):
        if len(elements) > len(self.items):
            text = (
                f"Tuple should have at most {_items(len(self.items))} after validation, "
                f"not {len(elements)}"
            )
            raise invalid("too_long", text, value)
        accepted, lines = [], []
        for index, node in enumerate(self.items):
            if index >= len(elements):
                lines.append(Line("missing", "Field required", value, (index,)))
                continue
            try:
                accepted.append(node.validate(elements[index], mode))
            except Invalid as error:
                lines.extend(line.under(index) for line in error.lines)
        if lines:
            raise Invalid(lines)
        return accepted

    def schema(self, generator):
        if self.rest is not None:
            items = self.rest.schema(generator)
            return {"type": "array", "items": items, **self.size_keywords("Items")}
        count = len(self.items)
        shape = {"type": "array", "minItems": count, "maxItems": count}
        if count:
            shape["prefixItems"] = [item.schema(generator) for item in self.items]
        return shape


class DictNode(_Sized):
    """A dictionary; key and value nodes may be None for anything."""

    kind = "Dictionary"

    def __init__(self, key=None, item=None, make=dict, named=("dict", "dictionary")):
        self.key = key
        self.item = item
        self.make = make
        self.named = named
        self.tag = f"dict[{key.tag if key else 'any'},{item.tag if item else 'any'}]"

    def validate(self, value, mode):
        if not isinstance(value, dict):
            if mode == EXACT or not isinstance(value, collections.abc.Mapping):
                kind, name = self.named
                raise invalid(f"{kind}_type", f"Input should be a valid {name}", value)
            value = dict(value)
        accepted, lines = {}, []
        for key, item in value.items():
            good_key = None
            try:
                good_key = self.key.validate(key, mode) if self.key else key
            except Invalid as error:
                lines.extend(line.under(key, "[key]") for line in error.lines)
            try:
                accepted[good_key] = self.item.validate(item, mode) if self.item else item
            except Invalid as error:
                lines.extend(line.under(key) for line in error.lines)
        if lines:
            raise Invalid(lines)
        return self.make(self.sized(accepted, value))

    def schema(self, generator):
        shape = {"type": "object", **self.size_keywords("Properties")}
        inner = self.item.schema(generator) if self.item else {}
        names = self.key.schema(generator) if self.key else {}
        pattern = names.pop("pattern", None) if isinstance(names, dict) else None
        if pattern:
            shape["patternProperties"] = {pattern: inner}
        else:
            shape["additionalProperties"] = inner or True
        names.pop("type", None)
        if names:
            shape["propertyNames"] = names
        return shape


class CheckedNode(Node):
    """A value of another node's type, then (`change`) checked or changed by functions."""

    def __init__(self, inner, change, json_schema=None):
        self.inner = inner
        self.change = change
        self.json_schema = json_schema
        self.tag = inner.tag
        self.titled = inner.titled

    def validate(self, value, mode):
        return self.change(value, lambda given: self.inner.validate(given, mode))

    def schema(self, generator):
        if self.json_schema is not None:
            return dict(self.json_schema)
        return self.inner.schema(generator)

    def with_constraints(self, constraints):
        return CheckedNode(self.inner.with_constraints(constraints), self.change, self.json_schema)
