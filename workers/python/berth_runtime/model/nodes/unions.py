"""Nodes that choose: unions, optional values, literals and enumerations."""

import enum

from ..dump import to_jsonable
from ..errors import Invalid, invalid
from .scalars import BIGGEST, EXACT, LAX, STRICT, Node


class NullableNode(Node):
    """A value that may be None."""

    def __init__(self, inner):
        self.inner = inner
        self.tag = f"nullable[{inner.tag}]"
        self.titled = inner.titled

    def validate(self, value, mode):
        return None if value is None else self.inner.validate(value, mode)

    def schema(self, generator):
        return flatten([self.inner.schema(generator), {"type": "null"}])

    def with_constraints(self, constraints):
        return NullableNode(self.inner.with_constraints(constraints))


class UnionNode(Node):
    """One of several types; the one that fits best wins, the first among equals."""

    def __init__(self, options):
        self.options = options
        self.tag = f"union[{','.join(option.tag for option in options)}]"

    def validate(self, value, mode):
        for tried in [mode] if mode else [EXACT, STRICT, LAX]:
            best = self._best(value, tried)
            if best is not None:
                return best[0]
        raise Invalid(self._faults(value, mode))

    def _best(self, value, mode):
        """Return the accepted value in a tuple: of models, the one with most fields set."""
        best = None
        for option in self.options:
            try:
                accepted = option.validate(value, mode)
            except Invalid:
                continue
            rank = _fields_set(accepted)
            if best is None or rank > best[1]:
                best = (accepted, rank)
            if rank == 0 and best[1] == 0:
                break
        return best

    def _faults(self, value, mode):
        lines = []
        for option in self.options:
            try:
                option.validate(value, mode)
            except Invalid as error:
                lines.extend(line.under(option.tag) for line in error.lines)
        return lines

    def schema(self, generator):
        return flatten([option.schema(generator) for option in self.options])


def _fields_set(value):
    return len(getattr(value, "__pydantic_fields_set__", ()))


class TaggedNode(Node):
    """A union of models of which one field says which it is."""

    def __init__(self, options, discriminator):
        self.options = options
        self.discriminator = discriminator
        self.tag = f"tagged-union[{','.join(option.tag for option in options)}]"

    def validate(self, value, mode):
        name = self.discriminator
        if value is None or isinstance(value, (str, bytes, int, float, list, tuple)):
            text = "Input should be a valid dictionary or object to extract fields from"
            raise invalid("model_attributes_type", text, value)
        tag = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
        if tag is None:
            text = f"Unable to extract tag using discriminator '{name}'"
            raise invalid("union_tag_not_found", text, value, discriminator=f"'{name}'")
        tags = self._tags()
        if tag not in tags:
            expected = ", ".join(repr(known) for known in tags)
            text = (
                f"Input tag '{tag}' found using '{name}' does not match any of the expected "
                f"tags: {expected}"
            )
            raise invalid("union_tag_invalid", text, value)
        try:
            return tags[tag].validate(value, mode)
        except Invalid as error:
            raise Invalid([line.under(tag) for line in error.lines]) from None

    def _tags(self):
        tags = {}
        for option in self.options:
            for known in option.tag_values(self.discriminator):
                tags[known] = option
        return tags

    def schema(self, generator):
        tags = self._tags()
        mapping = {str(tag): option.schema(generator).get("$ref") for tag, option in tags.items()}
        return {
            "oneOf": [option.schema(generator) for option in self.options],
            "discriminator": {"propertyName": self.discriminator, "mapping": mapping},
        }


class LiteralNode(Node):
    """One of a few given values."""

    def __init__(self, values):
        self.values = list(values)
        self.tag = f"literal[{','.join(repr(value) for value in self.values)}]"

    def validate(self, value, mode):
        for known in self.values:
            if type(known) is type(value) and known == value:
                return known
        if mode == LAX:
            refuse_huge(value, self.values)
            for known in self.values:
                if type(known) is int and isinstance(value, bool) and known == value:
                    return known
                if isinstance(known, enum.Enum) and known.value == value:
                    return known
        raise invalid(
            "literal_error",
            f"Input should be {alternatives(self.values)}",
            value,
            expected=alternatives(self.values),
        )

    def schema(self, generator):
        values = [
            to_jsonable(value.value if isinstance(value, enum.Enum) else value)
            for value in self.values
        ]
        shape = {"const": values[0]} if len(values) == 1 else {"enum": values}
        return {**shape, **_type_of(values)}


class EnumNode(Node):
    """A member of an enumeration, given as itself or by value."""

    titled = False

    def __init__(self, kind):
        self.kind = kind
        mixed = next((base.__name__ for base in (str, int, float) if issubclass(kind, base)), None)
        self.tag = f"{mixed}-enum[{kind.__name__}]" if mixed else f"enum[{kind.__name__}]"

    def validate(self, value, mode):
        if isinstance(value, self.kind):
            return value
        if mode == LAX:
            refuse_huge(value, [member.value for member in self.kind])
            for member in self.kind:
                if member.value == value:
                    return member
            found = self._converted(value)
            if found is not None:
                return found
        if mode != LAX or not len(self.kind):
            text = f"Input should be an instance of {self.kind.__name__}"
            raise invalid("is_instance_of", text, value)
        expected = alternatives([member.value for member in self.kind])
        raise invalid("enum", f"Input should be {expected}", value, expected=expected)

    def _converted(self, value):
        """Return the member for `"1"` of an int enumeration, or what `_missing_` makes of it."""
        if issubclass(self.kind, int) and isinstance(value, str):
            try:
                number = int(value)
            except ValueError:
                return None
            return next((member for member in self.kind if member.value == number), None)
        if issubclass(self.kind, enum.Flag) and type(value) is int:
            try:
                return self.kind(value)
            except ValueError:
                return None
        if "_missing_" in self.kind.__dict__:
            try:
                return self.kind(value)
            except ValueError:
                return None
        return None

    def schema(self, generator):
        if not len(self.kind):
            return self._definition(generator)
        return generator.reference(self.kind, self._definition)

    def _definition(self, _generator):
        values = [member.value for member in self.kind]
        shape = {"title": self.kind.__name__, "enum": values, **_type_of(values)}
        doc = self.kind.__dict__.get("__doc__")
        if doc and doc != "An enumeration.":
            shape["description"] = clean(doc)
        return shape


def refuse_huge(value, choices):
    """Raise `Invalid` for a number that is too large to be looked up among integers."""
    if isinstance(value, int) and abs(value) >= BIGGEST and any(type(c) is int for c in choices):
        text = "Unable to parse input string as an integer, exceeded maximum size"
        raise invalid("int_parsing_size", text, value)


def clean(text):
    """Return a docstring without its indentation."""
    import inspect

    return inspect.cleandoc(text)


def alternatives(values):
    """Return values as text: `'a', 'b' or 'c'`."""
    texts = [repr(value) for value in values]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


def flatten(schemas):
    """Return `anyOf` over the schemas, inner `anyOf` dissolved and duplicates dropped."""
    options = []
    for shape in schemas:
        inner = shape["anyOf"] if set(shape) == {"anyOf"} else [shape]
        options.extend(option for option in inner if option not in options)
    return options[0] if len(options) == 1 else {"anyOf": options}


def _type_of(values):
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    found = {kinds.get(next((k for k in kinds if isinstance(v, k)), None)) for v in values}
    if found == {None} and all(value is None for value in values):
        return {"type": "null"}
    return {"type": found.pop()} if len(found) == 1 and None not in found else {}
