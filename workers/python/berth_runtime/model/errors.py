"""Validation failures and the text that callers see.

The wording, the error types and the layout of `str(error)` are those of pydantic 2, because
clients and language models read them: a server behaves alike on CPython and here.
"""

import json

_DOCS = "https://errors.pydantic.dev/2.14/v/"
_LONGEST_INPUT = 50
UNDOCUMENTED = {
    "ip_v4_address",
    "ip_v4_interface",
    "ip_v4_network",
    "ip_v6_address",
    "ip_v6_interface",
    "ip_v6_network",
    "is_hashable",
    "path_type",
    "pattern_regex",
    "pattern_type",
    "sequence_str",
    "zoneinfo_str",
}
"""Kinds that pydantic makes itself and has no page for."""


class Unlisted(str):
    """The kind of a fault that a validator made up, which has no page whatever its name."""


class Line:
    """One thing that is wrong: where (`loc`), what (`kind`, `message`) and with which input."""

    __slots__ = ("kind", "loc", "message", "input", "context")

    def __init__(self, kind, message, value, loc=(), context=None):
        self.kind = kind
        self.message = message
        self.input = value
        self.loc = loc
        self.context = context

    def under(self, *prefix):
        """Return the same line seen from a container that holds the value at `prefix`."""
        return Line(self.kind, self.message, self.input, (*prefix, *self.loc), self.context)

    def at(self, places):
        """Return the same line with the first step of its place replaced."""
        loc = (places.get(self.loc[0], self.loc[0]), *self.loc[1:])
        return Line(self.kind, self.message, self.input, loc, self.context)


class Invalid(Exception):
    """Raised by a node for a value that it does not accept; carries `lines`."""

    def __init__(self, lines):
        super().__init__(len(lines))
        self.lines = lines


def invalid(kind, message, value, **context):
    """Build an `Invalid` with a single line at the value itself."""
    return Invalid([Line(kind, message, value, (), context or None)])


class ValidationError(ValueError):
    """All faults of one value, in the order of the fields."""

    def __init__(self, title, lines):
        super().__init__(title)
        self.title = title
        self._lines = list(lines)

    @classmethod
    def from_exception_data(cls, title, line_errors, **_):
        """Build an error from a list of dictionaries with type, loc, msg and input."""
        return cls(
            title,
            [
                Line(
                    str(item.get("type", "value_error")),
                    item.get("msg", str(item.get("type", ""))),
                    item.get("input"),
                    tuple(item.get("loc", ())),
                    item.get("ctx"),
                )
                for item in line_errors
            ],
        )

    def error_count(self):
        """Return how many faults there are."""
        return len(self._lines)

    def errors(self, *, include_url=True, include_context=True, include_input=True):
        """Return the faults as dictionaries, as pydantic does."""
        return [_as_dict(line, include_url, include_context, include_input) for line in self._lines]

    def json(self, *, indent=None, **options):
        """Return `errors()` as JSON text."""
        return json.dumps(self.errors(**options), indent=indent, default=str)

    def __str__(self):
        count = len(self._lines)
        noun = "validation error" if count == 1 else "validation errors"
        return "\n".join([f"{count} {noun} for {self.title}", *map(_render, self._lines)])

    __repr__ = __str__


def _as_dict(line, include_url, include_context, include_input):
    item = {"type": line.kind, "loc": line.loc, "msg": line.message}
    if include_input:
        item["input"] = line.input
    if include_context and line.context:
        item["ctx"] = line.context
    if include_url:
        item["url"] = _DOCS + line.kind
    return item


def _render(line):
    shown = _short(line.input)
    where = [".".join(map(_step, line.loc))] if line.loc else []
    lines = [
        *where,
        f"  {line.message} [type={line.kind}, input_value={shown}, "
        f"input_type={type(line.input).__name__}]",
    ]
    if line.kind not in UNDOCUMENTED and not isinstance(line.kind, Unlisted):
        lines.append(f"    For further information visit {_DOCS}{line.kind}")
    return "\n".join(lines)


def _step(part):
    text = str(part)
    return f"`{text}`" if "." in text else text


def _short(value):
    try:
        text = repr(value)
    except Exception:
        text = f"<unprintable {type(value).__name__} object>"
    # Pydantic counts bytes, and cuts between characters.
    encoded = text.encode(errors="replace")
    if len(encoded) <= _LONGEST_INPUT:
        return text
    half = _LONGEST_INPUT // 2
    ends = encoded[:half], encoded[-(half - 1) :]
    return "...".join(end.decode(errors="ignore") for end in ends)
