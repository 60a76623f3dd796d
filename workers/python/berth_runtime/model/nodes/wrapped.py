"""Nodes around another: types with a description or a name of their own."""

import copy
import sys
import typing

from ..fields import UNDEFINED, resolved, substitute
from ..schema import describe
from .scalars import Node


class DescribedNode(Node):
    """A type inside another with a description of its own (`list[Annotated[int, Field(…)]]`)."""

    def __init__(self, inner, info):
        self.inner = inner
        self.info = info
        self.tag = inner.tag
        self.titled = inner.titled

    @classmethod
    def around(cls, node, info):
        """Return the node with its description, or the node itself when there is none."""
        told = (info.title, info.description, info.examples, info.deprecated)
        extra = info.json_schema_extra
        return cls(node, info) if extra or any(item is not None for item in told) else node

    def validate(self, value, mode):
        return self.inner.validate(value, mode)

    def schema(self, generator):
        info = copy.copy(self.info)
        info.default, info.default_factory = UNDEFINED, None
        return describe(self.inner.schema(generator), info, "", False)

    def with_constraints(self, constraints):
        return DescribedNode(self.inner.with_constraints(constraints), self.info)

    def tag_values(self, name):
        """Return the values of the literal field `name`, for tagged unions."""
        return self.inner.tag_values(name)


_aliases = {}


def alias_node(alias, arguments=()):
    """Return the one node of a named type, whose type variables have these arguments."""
    key = (alias, arguments)
    if key not in _aliases:
        _aliases[key] = AliasNode(alias, arguments)
    return _aliases[key]


class AliasNode(Node):
    """A named type (`type Names = list[str]`), made when first needed: it may refer to itself."""

    titled = False

    def __init__(self, alias, arguments):
        self.alias = alias
        self.arguments = arguments
        self._inner = None
        self._is_being_made = False

    @property
    def inner(self):
        """The node of what the name stands for."""
        if self._inner is None:
            self._is_being_made = True
            try:
                self._inner = self._made()
            finally:
                self._is_being_made = False
        return self._inner

    def _made(self):
        from ..compile import compile_type

        names = vars(sys.modules.get(self.alias.__module__) or typing)
        value = resolved(self.alias.__value__, {**vars(typing), **names})
        if self.arguments:
            value = substitute(value, dict(zip(self.alias.__type_params__, self.arguments)))
        return compile_type(value)

    @property
    def tag(self):
        """The tag of what the name stands for; inside itself it is left out."""
        return "..." if self._is_being_made else self.inner.tag

    @property
    def __name__(self):
        """What the definition is called."""
        named = [getattr(item, "__name__", str(item)) for item in self.arguments]
        return f"{self.alias.__name__}[{', '.join(named)}]" if named else self.alias.__name__

    def validate(self, value, mode):
        return self.inner.validate(value, mode)

    def schema(self, generator):
        return generator.reference(self, self.inner.schema)

    def with_constraints(self, constraints):
        return self.inner.with_constraints(constraints)
