"""Statements that are put together of parts."""

import string

from . import extensions


class Composable:
    """A part of a statement."""

    def __init__(self, wrapped):
        self._wrapped = wrapped

    def __repr__(self):
        return f"{type(self).__name__}({self._wrapped!r})"

    def __eq__(self, other):
        return type(self) is type(other) and self._wrapped == other._wrapped

    __hash__ = None

    def __add__(self, other):
        return Composed([self]) + other

    def __mul__(self, count):
        return Composed([self] * count)

    def as_string(self, context=None):
        """Return it as SQL."""
        raise NotImplementedError


class Composed(Composable):
    """Parts, one after the other."""

    def __init__(self, parts):
        super().__init__(list(parts))

    @property
    def seq(self):
        """Return the parts."""
        return list(self._wrapped)

    def __iter__(self):
        return iter(self._wrapped)

    def __add__(self, other):
        return Composed(self._wrapped + (other.seq if isinstance(other, Composed) else [other]))

    def join(self, joiner):
        """Return the parts with another between each two."""
        return (joiner if isinstance(joiner, SQL) else SQL(joiner)).join(self._wrapped)

    def as_string(self, context=None):
        """Return it as SQL."""
        return "".join(part.as_string(context) for part in self._wrapped)


class SQL(Composable):
    """A text that is SQL."""

    @property
    def string(self):
        """Return the text."""
        return self._wrapped

    def format(self, *arguments, **named):
        """Return the text with parts in its places."""
        parts, at = [], 0
        for text, name, spec, conversion in string.Formatter().parse(self._wrapped):
            if spec or conversion:
                raise ValueError("no format specification or conversion is allowed")
            if text:
                parts.append(SQL(text))
            if name is None:
                continue
            if name == "":
                parts.append(arguments[at])
                at += 1
            else:
                parts.append(arguments[int(name)] if name.isdigit() else named[name])
        return Composed(parts)

    def join(self, parts):
        """Return parts with the text between each two."""
        joined = []
        for part in parts:
            joined += [self, part] if joined else [part]
        return Composed(joined)

    def as_string(self, context=None):
        """Return it as SQL."""
        return self._wrapped


class Identifier(Composable):
    """A name, or several with points between them."""

    def __init__(self, *names):
        super().__init__(names)

    @property
    def strings(self):
        """Return the names."""
        return self._wrapped

    def as_string(self, context=None):
        """Return it as SQL."""
        return ".".join(extensions.quote_ident(name) for name in self._wrapped)


class Literal(Composable):
    """A value."""

    def as_string(self, context=None):
        """Return it as SQL."""
        value = self._wrapped
        if value is None:
            return "NULL"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int | float):
            return str(value)
        return extensions.QuotedString(value).getquoted().decode()


class Placeholder(Composable):
    """A place for a value that is given later."""

    def __init__(self, name=None):
        super().__init__(name)

    def as_string(self, context=None):
        """Return it as SQL."""
        return "%s" if self._wrapped is None else f"%({self._wrapped})s"


NULL = SQL("NULL")
DEFAULT = SQL("DEFAULT")
