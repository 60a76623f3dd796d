"""Stand-in for annotated-types: constraints for `Annotated[...]`."""


class _Constraint:
    _key = ""

    def __init__(self, value):
        setattr(self, self._key, value)


class Gt(_Constraint):
    """Greater than."""

    _key = "gt"


class Ge(_Constraint):
    """Greater than or equal to."""

    _key = "ge"


class Lt(_Constraint):
    """Less than."""

    _key = "lt"


class Le(_Constraint):
    """Less than or equal to."""

    _key = "le"


class MultipleOf(_Constraint):
    """A multiple of."""

    _key = "multiple_of"


class MinLen(_Constraint):
    """At least as long as."""

    _key = "min_length"


class MaxLen(_Constraint):
    """At most as long as."""

    _key = "max_length"


class Len:
    """A length between two bounds."""

    def __init__(self, min_length=0, max_length=None):
        self.min_length = min_length
        self.max_length = max_length


class Interval:
    """A value between bounds."""

    def __init__(self, *, gt=None, ge=None, lt=None, le=None):
        self.gt, self.ge, self.lt, self.le = gt, ge, lt, le
