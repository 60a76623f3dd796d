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

from . import unsupported
from .fields import FieldInfo, declare, unwrap
from .functions import apply_metadata, apply_node_hook
from .nodes import containers, foreign, iterables, unions, values
from .nodes.library import library_node
from .nodes.records import ModelNode
from .nodes.scalars import AnyNode, BoolNode, BytesNode, FloatNode, IntNode, NoneNode, StrNode
from .nodes.wrapped import DescribedNode, alias_node

_SIMPLE = {
    str: StrNode,
    int: IntNode,
    float: FloatNode,
    bool: BoolNode,
    bytes: BytesNode,
    bytearray: BytesNode,
    type(None): NoneNode,
    decimal.Decimal: values.DecimalNode,
    complex: values.ComplexNode,
    uuid.UUID: values.UuidNode,
    re.Pattern: values.PatternNode,
}
_LISTS = (
    list,
    collections.abc.MutableSequence,
)
_MAPPINGS = (
    dict,
    collections.abc.Mapping,
    collections.abc.MutableMapping,
    collections.OrderedDict,
    collections.defaultdict,
    collections.Counter,
)
_ITERABLES = (collections.abc.Iterable, collections.abc.Generator)
_SETS = (set, collections.abc.MutableSet)
_FROZEN_SETS = (frozenset, collections.abc.Set)


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
    if type(annotation) is type and annotation in _SIMPLE:
        return _SIMPLE[annotation]()
    plain, metadata = unwrap(annotation)
    if metadata:
        info = declare(annotation)
        return DescribedNode.around(compile_field(info), info)
    if foreign.mentions(annotation):
        return foreign.ForeignNode(annotation)
    if annotation is typing.Any or annotation is object:
        return AnyNode()
    if isinstance(annotation, typing.TypeVar):
        return _variable(annotation)
    if annotation is None:
        return NoneNode()
    if isinstance(annotation, typing.NewType):
        return compile_type(annotation.__supertype__)
    if foreign.is_alias(annotation):
        return alias_node(annotation)
    if isinstance(annotation, (str, typing.ForwardRef)):
        name = annotation if isinstance(annotation, str) else annotation.__forward_arg__
        raise unsupported.NoSchema(f"name '{name}' is not defined")
    origin = typing.get_origin(annotation)
    if origin is not None:
        return _generic(origin, typing.get_args(annotation), annotation, discriminator)
    hook = apply_node_hook(annotation)
    if hook is not None:
        return hook
    if isinstance(annotation, type):
        return _class(annotation)
    raise unsupported.unknown(annotation)


def _variable(variable):
    """Return the node of a type variable: what it is bound to, or one of its choices."""
    if variable.__constraints__:
        return unions.UnionNode([compile_type(item) for item in variable.__constraints__])
    return compile_type(variable.__bound__) if variable.__bound__ is not None else AnyNode()


def _generic(origin, args, annotation, discriminator):
    if not args and isinstance(origin, type) and annotation not in (tuple[()], typing.Tuple[()]):
        return _class(origin)
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
        factory = pair[1] if isinstance(pair[1], type) else None
        return _mapping(origin, *(compile_type(arg) for arg in pair), factory)
    if origin is tuple:
        return _tuple(args)
    if origin in _SETS or origin in _FROZEN_SETS:
        make = frozenset if origin in _FROZEN_SETS else set
        return containers.SetNode(compile_type(args[0]), make)
    if origin in _ITERABLES:
        return iterables.IterableNode(compile_type(args[0]))
    if origin is collections.abc.Sequence:
        return containers.SequenceNode(compile_type(args[0]))
    if origin is collections.abc.Collection:
        return values.InstanceNode(origin)
    if origin is collections.deque:
        return containers.DequeNode(compile_type(args[0]))
    if origin in _LISTS:
        return containers.ListNode(compile_type(args[0]))
    if origin is type:
        return values.SubclassNode(args[0])
    if origin is collections.abc.Callable:
        return values.CallableNode()
    if foreign.is_alias(origin):
        return alias_node(origin, args)
    if origin is re.Pattern:
        return values.PatternNode()
    if isinstance(origin, type) and getattr(origin, "__parameters__", ()):
        from .nodes.classes import class_node

        return class_node(origin, args)
    raise unsupported.unknown(annotation)


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


def _mapping(origin, key=None, item=None, factory=None):
    if origin is collections.defaultdict:
        return containers.DictNode(key, item, lambda found: origin(factory, found))
    named = {collections.OrderedDict: "ordered_dict", collections.Counter: "counter"}
    if origin in named:
        return containers.DictNode(key, item, origin, (named[origin], origin.__name__))
    return containers.DictNode(key, item)


def _class(annotation):
    from .nodes.classes import class_node

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
    if annotation in _SETS or annotation in _FROZEN_SETS:
        return containers.SetNode(None, frozenset if annotation in _FROZEN_SETS else set)
    if annotation in _ITERABLES:
        return iterables.IterableNode(AnyNode())
    if annotation is collections.abc.Sequence:
        return containers.SequenceNode(None)
    if annotation is collections.deque:
        return containers.DequeNode(None)
    if annotation in _LISTS:
        return containers.ListNode(None)
    if annotation is collections.abc.Callable:
        return values.CallableNode()
    if annotation is collections.abc.Hashable:
        return values.HashableNode()
    known = library_node(annotation)
    if known is not None:
        return known
    return class_node(annotation)
