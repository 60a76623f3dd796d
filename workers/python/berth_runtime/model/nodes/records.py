"""Nodes for objects with named fields: models, dataclasses, typed dictionaries, named tuples."""

import collections.abc
import dataclasses
import functools

from ..errors import Invalid, Line, invalid
from ..fields import UNDEFINED
from ..schema import describe
from .scalars import EXACT, LAX, Node
from .unions import LiteralNode, clean


class Slot:
    """One field: its name, the key that input uses (`alias`), its declaration and its node."""

    __slots__ = ("name", "alias", "info", "node", "choices", "output", "missing")

    def __init__(self, name, info, node):
        self.name = name
        self.info = info
        self.node = node
        self.missing = None
        alias = info.validation_alias if info.validation_alias is not None else info.alias
        self.choices = list(getattr(alias, "choices", ())) or None
        self.alias = self.choices[0] if self.choices else alias if alias is not None else name
        output = info.serialization_alias if info.serialization_alias is not None else info.alias
        self.output = output if output is not None else name


FIELD_FAULTS = (
    ("missing", "Field required"),
    ("extra_forbidden", "Extra inputs are not permitted"),
)
ARGUMENT_FAULTS = (
    ("missing_argument", "Missing required argument"),
    ("unexpected_keyword_argument", "Unexpected keyword argument"),
)


class Record:
    """The compiled fields of one class."""

    @functools.cached_property
    def by_field(self):
        """The slots by the names of their fields."""
        return {slot.name: slot for slot in self.slots}

    def __init__(self, slots, *, extra="ignore", by_name=False, faults=FIELD_FAULTS):
        self.slots = slots
        self.extra = extra
        self.by_name = by_name
        self.missing, self.unexpected = faults

    def collect(self, given, mode, whole=None):
        """Validate a mapping: return accepted values by field name, names given, extras."""
        values, named, lines, used = {}, set(), [], set()
        for slot in self.slots:
            key = self._key(slot, given)
            if key is None:
                if slot.info.is_required():
                    lines.append(
                        Line(
                            *(slot.missing or self.missing),
                            given if whole is None else whole,
                            (slot.alias,),
                        )
                    )
                elif slot.info.validate_default:
                    try:
                        values[slot.name] = slot.node.validate(slot.info.get_default(), mode)
                    except Invalid as error:
                        lines.extend(line.under(slot.alias) for line in error.lines)
                else:
                    values[slot.name] = slot.info.get_default()
                continue
            used.add(key)
            try:
                values[slot.name] = slot.node.validate(given[key], mode)
                named.add(slot.name)
            except Invalid as error:
                lines.extend(line.under(slot.alias) for line in error.lines)
        extras = {}
        if self.extra != "ignore":
            for key in given:
                if key in used:
                    continue
                if self.extra == "forbid":
                    lines.append(Line(*self.unexpected, given[key], (key,)))
                else:
                    extras[key] = given[key]
        if lines:
            raise Invalid(lines)
        return values, named, extras

    def _key(self, slot, given):
        for key in slot.choices or (slot.alias,):
            if key in given:
                return key
        if self.by_name and slot.name in given:
            return slot.name
        return None

    def shape(self, generator, *, title, description=None):
        """Return the object schema of the fields."""
        shape = {"type": "object", "properties": {}}
        if title:
            shape["title"] = title
        if description:
            shape["description"] = clean(description)
        required = []
        for slot in self.slots:
            if slot.node.omitted:
                continue
            key = slot.output if generator.writing else slot.alias
            described = describe(slot.node.schema(generator), slot.info, key, slot.node.titled)
            shape["properties"][key] = described
            if slot.info.is_required():
                required.append(key)
        if required:
            shape["required"] = required
        if self.extra == "forbid":
            shape["additionalProperties"] = False
        elif self.extra == "allow":
            shape["additionalProperties"] = True
        return shape


class ModelNode(Node):
    """A subclass of Berth's BaseModel."""

    titled = False

    def __init__(self, model):
        self.model = model
        self.tag = model.__name__

    def validate(self, value, mode):
        if isinstance(value, self.model):
            return value
        if mode != LAX:
            name = self.model.__name__
            text = f"Input should be an instance of {name}"
            raise invalid("model_type" if mode != EXACT else "is_instance_of", text, value)
        return self.model.__berth_build__(value)

    def schema(self, generator):
        return self.model.__berth_schema__(generator)

    def tag_values(self, name):
        """Return the values of the literal field `name`, for tagged unions."""
        for slot in self.model.__berth_record__().slots:
            if name in (slot.name, slot.alias) and isinstance(slot.node, LiteralNode):
                return slot.node.values
        return []


class ClassNode(Node):
    """A dataclass, typed dictionary or named tuple. `kind` is `dataclass`, `dict` or `tuple`."""

    titled = False

    def __init__(self, owner, kind, load):
        self.owner = owner
        self.kind = kind
        self.tag = owner.__name__
        self._load = load
        self._record = None

    @property
    def record(self):
        """Return the fields, compiled when first needed since types may refer to themselves."""
        if self._record is None:
            self._record = Record([])
            self._record = self._load()
        return self._record

    def validate(self, value, mode):
        name = self.owner.__name__
        if self.kind == "dict":
            if not isinstance(value, collections.abc.Mapping):
                raise invalid("dict_type", "Input should be a valid dictionary", value)
            return self._dictionary(value, mode)
        if isinstance(value, self.owner):
            return value
        if mode != LAX:
            text = f"Input should be an instance of {name}"
            raise invalid("dataclass_exact_type", text, value, class_name=name)
        if self.kind == "tuple":
            return self._tuple(value, mode)
        if not isinstance(value, collections.abc.Mapping):
            text = f"Input should be a dictionary or an instance of {name}"
            raise invalid("dataclass_type", text, value, class_name=name)
        values, _, _ = self.record.collect(value, mode)
        return self._instance(values)

    def _dictionary(self, value, mode):
        values, named, extras = self.record.collect(value, mode)
        wanted = {slot.name for slot in self.record.slots if slot.info.default is not NOT_THERE}
        kept = {name: item for name, item in values.items() if name in named or name in wanted}
        return {**kept, **extras}

    def _tuple(self, value, mode):
        slots = self.record.slots
        if isinstance(value, (list, tuple)):
            if len(value) > len(slots):
                text = (
                    f"NamedTuple should have at most {len(slots)} items after validation, "
                    f"not {len(value)}"
                )
                raise invalid("too_long", text, value)
            named = {slot.alias: item for slot, item in zip(slots, value)}
            try:
                return self.owner(**self.record.collect(named, mode, value)[0])
            except Invalid as error:
                places = {slot.alias: index for index, slot in enumerate(slots)}
                raise Invalid([line.at(places) for line in error.lines]) from None
        if not isinstance(value, collections.abc.Mapping):
            text = (
                f"Input should be a tuple, list, dictionary or an instance of {self.owner.__name__}"
            )
            raise invalid("named_tuple_type", text, value)
        return self.owner(**self.record.collect(value, mode)[0])

    def _instance(self, values):
        fields = {field.name: field for field in dataclasses.fields(self.owner)}
        given = {
            name: item for name, item in values.items() if name not in fields or fields[name].init
        }
        return self.owner(**given)

    def schema(self, generator):
        return generator.reference(self.owner, self._definition)

    def _definition(self, generator):
        doc = self.owner.__dict__.get("__doc__")
        if self.kind == "tuple":
            items = [
                describe(slot.node.schema(generator), slot.info, slot.alias, slot.node.titled)
                for slot in self.record.slots
            ]
            least = sum(slot.info.is_required() for slot in self.record.slots)
            size = {"minItems": least, "maxItems": len(items)}
            return {"type": "array", "prefixItems": items, **size}
        if doc and self.kind == "dataclass" and doc.startswith(f"{self.owner.__name__}("):
            doc = None  # written by dataclasses itself
        return self.record.shape(generator, title=self.owner.__name__, description=doc)

    def tag_values(self, name):
        """Return the values of the literal field `name`, for tagged unions."""
        for slot in self.record.slots:
            if name in (slot.name, slot.alias) and isinstance(slot.node, LiteralNode):
                return slot.node.values
        return []


class _NotThere:
    """Default of an optional key of a typed dictionary: the key stays absent."""


NOT_THERE = _NotThere()


def optional_key(info):
    """Mark a field as a key that may be absent."""
    if info.default is UNDEFINED:
        info.default = NOT_THERE
    return info
