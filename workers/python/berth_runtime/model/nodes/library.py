"""Nodes of classes of the standard library that are given as text or number, as addresses."""

import fractions
import ipaddress
import os
import pathlib
import zoneinfo

from ..errors import invalid
from .scalars import LAX, Node
from .values import PathNode


class ParsedNode(Node):
    """Accepts instances of a class, and in LAX mode what the class makes an instance of.

    `fault`: the kind and text of the fault of anything else; `{}` stands for the input.
    """

    def __init__(self, kind, fault, shape, tag=None):
        self.kind = kind
        self.tag = tag or fault[0]
        self.fault = fault
        self.shape = shape

    def validate(self, value, mode):
        if isinstance(value, self.kind):
            return value
        if mode == LAX and value is not None:
            try:
                return self.kind(value)
            except ArithmeticError, OSError, TypeError, ValueError, LookupError:
                pass  # told as for values that are not tried
        name, text = self.fault
        if self.kind is fractions.Fraction and not isinstance(value, (int, float, str)):
            name, text = "fraction_type", _NO_FRACTION
        shown = int(value) if isinstance(value, bool) else value
        raise invalid(name, text.format(shown), value)

    def schema(self, generator):
        if self.kind is fractions.Fraction and not generator.writing:
            return {"anyOf": [{"type": "number"}, dict(self.shape)]}
        return dict(self.shape)


_NO_FRACTION = "Fraction input should be an integer, float, string or Fraction object"


def _text(fmt):
    return {"type": "string", "format": fmt}


def _address(kind, version, what):
    tag = f"ip_v{version}_{what}"
    fmt = f"ipv{version}" if what == "address" else f"ipv{version}{what}"
    name = kind.__name__
    union = (
        f"lax-or-strict[lax=function-plain[{tag}_validator()],strict=json-or-python["
        f"json=function-after[{name}(), str],python=is-instance[{name}]]]"
    )
    fault = (tag, f"Input is not a valid IPv{version} {what}")
    return ParsedNode(kind, fault, _text(fmt), union)


def library_node(kind):
    """Return the node of a class of the library, or None when it has none of its own."""
    if kind in _ADDRESSES:
        return _address(kind, *_ADDRESSES[kind])
    if kind is fractions.Fraction:
        fault = ("fraction_parsing", "Input is not a valid fraction")
        return ParsedNode(kind, fault, _text("fraction"))
    if kind is zoneinfo.ZoneInfo:
        return ParsedNode(kind, ("zoneinfo_str", "invalid timezone: {}"), _text("zoneinfo"))
    if kind is os.PathLike:
        return PathNode(os.PathLike, pathlib.PurePath)
    return None


_ADDRESSES = {
    ipaddress.IPv4Address: (4, "address"),
    ipaddress.IPv4Network: (4, "network"),
    ipaddress.IPv4Interface: (4, "interface"),
    ipaddress.IPv6Address: (6, "address"),
    ipaddress.IPv6Network: (6, "network"),
    ipaddress.IPv6Interface: (6, "interface"),
}
