"""From an annotation to a node: the one place that knows every supported type."""

import collections
import collections.abc
import datetime
import decimal
import enum
import pathlib
import re
import types
import typing
import uuid

from . import containers, foreign, unions, values
from .fields import FieldInfo, declare, unwrap
from .functions import apply_metadata, apply_node_hook
from .records import ModelNode
from .scalars import AnyNode, BoolNode, BytesNode, FloatNode, IntNode, NoneNode, StrNode

_SIMPLE = {
    str: StrNode,
    int: IntNode,
    float: FloatNode,
    bool: BoolNode,
    bytes: BytesNode,
    bytearray: BytesNode,
    type(None): NoneNode,
    decimal.Decimal: values.DecimalNode,
    uuid.UUID: values.UuidNode,
    re.Pattern: values.PatternNode,
}
_LISTS = (
    list,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.deque,
)
_MAPPINGS = (
    dict,
    collections.abc.Mapping,
    collections.abc.MutableMapping,
    collections.OrderedDict,
    collections.defaultdict,
    collections.Counter,
)
_ITERABLES = (collections.abc.Iterable, collections.abc.Iterator, collections.abc.Generator)
_SETS = (set, collections.abc.Set, collections.abc.MutableSet)


def compile_field(info: FieldInfo):
    """Return the node of a declared field: its annotation, metadata and constraints."""
    if foreign.mentions(info.annotation, info.metadata):
        return foreign.field_node(info)
    node = compile_type(info.annotation, discriminator=info.discriminator)
    if info.constraints:
        node = node.with_constraints(info.constraints)
    return apply_metadata(node, info.metadata)


def compile_type(annotation, discriminator=None):
    """Return the node of an annotation; raises NoSchema for one that cannot be supported."""
    plain, metadata = unwrap(annotation)
    if metadata:
        info = declare(annotation)
        return compile_field(info)
    if foreign.mentions(annotation):
        return foreign.ForeignNode(annotation)
    if annotation is typing.Any or annotation is object or isinstance(annotation, typing.TypeVar):
        bound = getattr(annotation, "__bound__", None)
        return compile_type(bound) if bound is not None else AnyNode()
    if annotation is None:
        return NoneNode()
    if isinstance(annotation, typing.NewType):
        return compile_type(annotation.__supertype__)
    if isinstance(annotation, getattr(typing, "TypeAliasType", ())):
        return compile_type(annotation.__value__)
    if isinstance(annotation, (str, typing.ForwardRef)):
        name = annotation if isinstance(annotation, str) else annotation.__forward_arg__
        raise values.NoSchema(f"name '{name}' is not defined")
    origin = typing.get_origin(annotation)
    if origin is not None:
        return _generic(origin, typing.get_args(annotation), annotation, discriminator)
    hook = apply_node_hook(annotation)
    if hook is not None:
        return hook
    if isinstance(annotation, type):
        return _class(annotation)
    raise values.NoSchema(f"Unable to generate a schema for {annotation!r}")


def _generic(origin, args, annotation, discriminator):
    if origin in (typing.Union, types.UnionType):
        return _union(args, discriminator)
    if origin is typing.Literal:
        return unions.LiteralNode(args)
    if origin in (typing.Required, typing.NotRequired, typing.Final, typing.ClassVar):
        return compile_type(args[0])
    if getattr(typing, "ReadOnly", None) is origin:
        return compile_type(args[0])
    if origin in _MAPPINGS:
        pair = args if len(args) == 2 else (args[0], int) if args else (None, None)
        return _mapping(origin, *(compile_type(arg) for arg in pair))
    if origin is tuple:
        return _tuple(args)
    if origin in _SETS or origin is frozenset:
        make = frozenset if origin is frozenset else set
        return containers.SetNode(compile_type(args[0]), make)
    if origin in _ITERABLES:
        return values.IterableNode(compile_type(args[0]))
    if origin is collections.abc.Sequence:
        return containers.SequenceNode(compile_type(args[0]))
    if origin in _LISTS:
        return _list(origin, compile_type(args[0]))
    if origin is type:
        return values.CallableNode()
    if origin is collections.abc.Callable:
        return values.CallableNode()
    if isinstance(origin, getattr(typing, "TypeAliasType", ())):
        return compile_type(annotation.__value__)
    if isinstance(origin, type):
        return _class(origin)
    raise values.NoSchema(f"Unable to generate a schema for {annotation!r}")


def _union(args, discriminator):
    rest = [arg for arg in args if arg is not type(None)]
    if discriminator:
        node = unions.TaggedNode([compile_type(arg) for arg in rest], discriminator)
    elif len(rest) == 1:
        node = compile_type(rest[0])
    else:
        node = unions.UnionNode([compile_type(arg) for arg in rest])
    return unions.NullableNode(node) if len(rest) < len(args) else node


def _tuple(args):
    if args == ((),) or not args:
        return containers.TupleNode()
    if len(args) == 2 and args[1] is ...:
        return containers.TupleNode(rest=compile_type(args[0]))
    return containers.TupleNode([compile_type(arg) for arg in args])


def _list(origin, item):
    make = collections.deque if origin is collections.deque else list
    return containers.ListNode(item, make=make)


def _mapping(origin, key=None, item=None):
    if origin is collections.defaultdict:
        return containers.DictNode(key, item, lambda found: collections.defaultdict(None, found))
    make = {collections.OrderedDict: collections.OrderedDict, collections.Counter: origin}
    return containers.DictNode(key, item, make.get(origin, dict))


def _class(annotation):
    from .classes import class_node

    simple = _SIMPLE.get(annotation)
    if simple is not None:
        return simple()
    if hasattr(annotation, "__berth_record__"):
        return ModelNode(annotation)
    if issubclass(annotation, enum.Enum):
        return unions.EnumNode(annotation)
    if issubclass(annotation, (datetime.date, datetime.time, datetime.timedelta)):
        return values.temporal(annotation)
    if issubclass(annotation, pathlib.PurePath):
        return values.PathNode(annotation)
    if annotation in _MAPPINGS:
        return _mapping(annotation)
    if annotation is tuple:
        return containers.TupleNode(rest=AnyNode())
    if annotation in _SETS or annotation is frozenset:
        return containers.SetNode(None, frozenset if annotation is frozenset else set)
    if annotation in _ITERABLES:
        return values.IterableNode(AnyNode())
    if annotation is collections.abc.Sequence:
        return containers.SequenceNode(None)
    if annotation in _LISTS:
        return _list(annotation, None)
    if annotation in (collections.abc.Callable, type):
        return values.CallableNode()
    return class_node(annotation)
