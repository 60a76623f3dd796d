"""`BaseModel`: classes whose annotated attributes are validated fields."""

import collections.abc
import copy as copying
import json

from . import declared
from .dump import encode
from .errors import Invalid, ValidationError, invalid
from .nodes.scalars import LAX
from .output import Options, dump_model
from .schema import json_schema
from .validators import ValidationInfo, call_validator, decorated


class BaseModel:
    """Base class of models. Fields are compiled when the class is first used."""

    model_config = {}
    model_fields = declared.Fields()
    __fields__ = declared.Fields()
    __pydantic_fields_set__ = frozenset()

    def __init_subclass__(cls, **options):
        own = {key: options.pop(key) for key in list(options) if key in declared.CONFIG_KEYS}
        super().__init_subclass__(**options)
        declared.prepare(cls, own)

    def __class_getitem__(cls, arguments):
        return declared.parametrize(cls, arguments)

    def __init__(self, /, **data):
        try:
            self.__berth_fill__(data)
        except Invalid as error:
            raise ValidationError(type(self).__name__, error.lines) from None

    @classmethod
    def __get_pydantic_core_schema__(cls, _source, _handler):
        from .nodes.foreign import core_schema_of

        return core_schema_of(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema, _handler):
        return cls.model_json_schema()

    @classmethod
    def __berth_record__(cls):
        record = cls.__dict__.get("__berth_compiled__")
        if record is None:
            record = declared.compile_model(cls)
        return record

    @classmethod
    def __berth_build__(cls, value):
        """Return an instance made from input; raises `Invalid`."""
        for item in decorated(cls, "model_validator"):
            if item.options["mode"] == "before":
                value = call_validator(item.bind(cls), value, ValidationInfo(), value)
        if isinstance(value, cls):
            return value
        if declared.is_root(cls):
            value = {"root": value}
        elif not isinstance(value, collections.abc.Mapping):
            value = cls.__berth_attributes__(value)
        if cls.__init__ is not BaseModel.__init__ and not declared.is_root(cls):
            try:
                return cls(**value)
            except ValidationError as error:
                raise Invalid(error._lines) from None
        made = cls.__new__(cls)
        made.__berth_fill__(value, checked=True)
        return made

    @classmethod
    def __berth_attributes__(cls, value):
        if cls.model_config.get("from_attributes"):
            record = cls.__berth_record__()
            return {s.alias: getattr(value, s.name) for s in record.slots if hasattr(value, s.name)}
        text = f"Input should be a valid dictionary or instance of {cls.__name__}"
        raise invalid("model_type", text, value, class_name=cls.__name__)

    def __berth_fill__(self, data, checked=False):
        cls = type(self)
        if not checked:
            for item in decorated(cls, "model_validator"):
                if item.options["mode"] == "before":
                    data = call_validator(item.bind(cls), data, ValidationInfo(), data)
        try:
            values, named, extras = cls.__berth_record__().collect(data, LAX)
        except Invalid as error:
            raise (declared.without_root(error) if declared.is_root(cls) else error) from None
        self.__dict__.update(values)
        self.__dict__.update(extras)
        object.__setattr__(self, "__pydantic_fields_set__", named | set(extras))
        object.__setattr__(self, "__pydantic_extra__", extras)
        declared.private_defaults(self)
        self.model_post_init(None)
        for item in decorated(cls, "model_validator"):
            if item.options["mode"] == "after":
                bound = item.function.__get__(self, cls)
                call_validator(bound, data, ValidationInfo())

    def model_post_init(self, context, /):
        """Called when all fields are set; models override it."""

    def __setattr__(self, name, value):
        config = type(self).model_config
        slots = type(self).__berth_record__().by_field
        if name in slots:
            info = slots[name].info
            if config.get("frozen") or info.frozen:
                raise ValidationError(
                    type(self).__name__,
                    invalid("frozen_instance", "Instance is frozen", value).lines,
                )
            if config.get("validate_assignment"):
                try:
                    value = slots[name].node.validate(value, LAX)
                except Invalid as error:
                    lines = [line.under(name) for line in error.lines]
                    raise ValidationError(type(self).__name__, lines) from None
            self.__pydantic_fields_set__.add(name)
            self.__dict__[name] = value
        elif name.startswith("_") or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        elif config.get("extra") == "allow":
            self.__dict__[name] = value
            self.__pydantic_extra__[name] = value
        else:
            raise ValueError(f'"{type(self).__name__}" object has no field "{name}"')

    @property
    def model_fields_set(self):
        """The names of the fields that were given."""
        return set(self.__pydantic_fields_set__)

    @property
    def model_extra(self):
        """The values of undeclared fields, or None when they are not kept."""
        return self.__pydantic_extra__ if self.model_config.get("extra") == "allow" else None

    @classmethod
    def model_validate(cls, obj, *, strict=None, from_attributes=None, context=None, **_):
        """Return an instance made from a dictionary; raises ValidationError."""
        if isinstance(obj, cls):
            return obj
        try:
            return cls.__berth_build__(obj)
        except Invalid as error:
            raise ValidationError(cls.__name__, error.lines) from None

    @classmethod
    def model_validate_json(cls, json_data, **options):
        """Return an instance made from JSON text; raises ValidationError."""
        try:
            data = json.loads(json_data)
        except ValueError as error:
            text = f"Invalid JSON: {error}"
            raise ValidationError(
                cls.__name__, invalid("json_invalid", text, json_data).lines
            ) from None
        return cls.model_validate(data, **options)

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        """Return an instance without any validation."""
        made = cls.__new__(cls)
        for slot in cls.__berth_record__().slots:
            if slot.name not in values and not slot.info.is_required():
                made.__dict__[slot.name] = slot.info.get_default()
        made.__dict__.update(values)
        object.__setattr__(made, "__pydantic_fields_set__", set(_fields_set or values))
        object.__setattr__(made, "__pydantic_extra__", {})
        declared.private_defaults(made)
        return made

    def model_dump(self, **options):
        """Return the fields as a dictionary (`mode="json"` for JSON-able values)."""
        return dump_model(self, Options.of(options))

    def model_dump_json(self, *, indent=None, **options):
        """Return the fields as JSON text."""
        return encode(dump_model(self, Options.of({**options, "mode": "json"})), indent=indent)

    def __berth_dump__(self, fallback=None, options=None):
        given = options or Options(mode="json", by_alias=True, fallback=fallback)
        return dump_model(self, given)

    @classmethod
    def model_json_schema(cls, by_alias=True, ref_template=None, schema_generator=None, mode=None):
        """Return the JSON Schema of the model."""
        from .nodes.records import ModelNode

        return json_schema(ModelNode(cls))

    @classmethod
    def __berth_schema__(cls, generator):
        return declared.model_schema(cls, generator)

    def model_copy(self, *, update=None, deep=False):
        """Return a copy, with some fields replaced (not validated)."""
        made = copying.deepcopy(self) if deep else copying.copy(self)
        made.__dict__.update(update or {})
        object.__setattr__(
            made, "__pydantic_fields_set__", {*self.__pydantic_fields_set__, *(update or ())}
        )
        return made

    @classmethod
    def model_rebuild(cls, **_):
        """Forget the compiled fields, so that names defined since are found."""
        if "__berth_compiled__" in cls.__dict__:
            del cls.__berth_compiled__

    def __iter__(self):
        yield from ((name, value) for name, value in self.__dict__.items() if name[0] != "_")

    def __eq__(self, other):
        if not isinstance(other, BaseModel):
            return NotImplemented
        return type(self) is type(other) and dict(self) == dict(other)

    def __hash__(self):
        if type(self).model_config.get("frozen"):
            return hash((type(self), tuple(self.__dict__.values())))
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def __repr__(self):
        return f"{type(self).__name__}({self.__berth_text__(', ')})"

    def __str__(self):
        return self.__berth_text__(" ")

    def __berth_text__(self, joint):
        return joint.join(f"{name}={value!r}" for name, value in self)

    dict = model_dump
    json = model_dump_json
    copy = model_copy
    parse_obj = model_validate
    parse_raw = model_validate_json
    schema = model_json_schema
