"""Nodes around another: types with a description or a name of their own."""

import copy

from .fields import UNDEFINED
from .scalars import Node
from .schema import describe


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


class AliasNode(Node):
    """A named type (`type Names = list[str]`), made when first needed: it may refer to itself."""

    titled = False

    def __init__(self, alias, load):
        self.alias = alias
        self._load = load
        self._inner = None

    @property
    def inner(self):
        """The node of what the name stands for."""
        if self._inner is None:
            self._inner = self._load()
        return self._inner

    @property
    def tag(self):
        """The tag of what the name stands for."""
        return self.inner.tag

    def validate(self, value, mode):
        return self.inner.validate(value, mode)

    def schema(self, generator):
        return generator.reference(self.alias, self.inner.schema)

    def with_constraints(self, constraints):
        return self.inner.with_constraints(constraints)
