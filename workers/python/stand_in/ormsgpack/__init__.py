"""Stand-in for ormsgpack, which is compiled code: the same functions and options, in Python."""

from ._names import *  # noqa: F403 - servers import them from here
from ._reading import Reader
from ._writing import Writer

__version__ = "1.13.1"
MsgpackDecodeError = ValueError
MsgpackEncodeError = TypeError
_ALL_OPTIONS = 65535


def packb(obj, /, default=None, option=None):
    """Return a value as MessagePack."""
    if option is not None and (type(option) is not int or not 0 <= option <= _ALL_OPTIONS):
        raise TypeError("Invalid opts")
    writer = Writer(default, option or 0)
    try:
        writer.value(obj, 0)
    except RecursionError:
        raise TypeError("Recursion limit reached") from None
    return b"".join(writer.parts)


def unpackb(obj, /, *, ext_hook=None, option=None):
    """Return the value that MessagePack holds; what follows it is ignored."""
    if not isinstance(obj, (bytes, bytearray, memoryview)):
        raise ValueError("Input must be bytes, bytearray, memoryview")  # noqa: TRY004 - as ormsgpack
    try:
        return Reader(bytes(obj), ext_hook, option or 0).value(0)
    except RecursionError:
        raise ValueError("Recursion limit reached") from None
