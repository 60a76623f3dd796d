"""Reads values of MessagePack."""

import datetime
import struct

from . import _formats as form
from . import _names as names

_NUMBERS = {
    0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
_SIZES = {
    mark: packed
    for _, longer in (form.STR, form.BIN, form.ARRAY, form.MAP, form.EXT)
    for mark, packed in longer
}
_EXT_SIZES = {mark: size for size, mark in form.FIXED.items()}


def _moment_of(data):
    """Return the moment that the content of the timestamp's type is."""
    if len(data) == 4:
        seconds, nanoseconds = struct.unpack(">I", data)[0], 0
    elif len(data) == 8:
        (both,) = struct.unpack(">Q", data)
        seconds, nanoseconds = both & (1 << 34) - 1, both >> 34
    elif len(data) == 12:
        nanoseconds, seconds = struct.unpack(">Iq", data)
    else:
        raise ValueError("invalid timestamp")
    return form.EPOCH + datetime.timedelta(seconds=seconds, microseconds=nanoseconds // 1000)


class Reader:
    """Reads values, one after the other."""

    def __init__(self, data, ext_hook, option):
        self.data = data
        self.at = 0
        self.ext_hook = ext_hook
        self.option = option

    def _take(self, size):
        found = self.data[self.at : self.at + size]
        if len(found) < size:
            raise ValueError("unexpected end of file")
        self.at += size
        return found

    def _number(self, packed):
        return struct.unpack(packed, self._take(struct.calcsize(packed)))[0]

    def value(self, depth):
        """Return the next value, inside `depth` others."""
        if depth > form.DEEPEST:
            raise ValueError("Recursion limit reached")
        mark = self._take(1)[0]
        if mark < 0x80 or mark >= 0xE0:
            return mark if mark < 0x80 else mark - 256
        if mark in _NUMBERS:
            return self._number(_NUMBERS[mark])
        if mark in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[mark]
        if mark == 0xC1:
            raise ValueError("invalid type Reserved")
        if mark in _EXT_SIZES:
            return self._ext(_EXT_SIZES[mark])
        return self._sized(mark, depth)

    def _sized(self, mark, depth):
        size = self._number(_SIZES[mark]) if mark in _SIZES else mark & (31 if mark >= 0xA0 else 15)
        if mark < 0x90 or mark in (0xDE, 0xDF):
            return {self._key(depth): self.value(depth + 1) for _ in range(size)}
        if mark < 0xA0 or mark in (0xDC, 0xDD):
            return [self.value(depth + 1) for _ in range(size)]
        if mark in (0xC4, 0xC5, 0xC6):
            return self._take(size)
        if mark in (0xC7, 0xC8, 0xC9):
            return self._ext(size)
        try:
            return self._take(size).decode()
        except UnicodeDecodeError:
            raise ValueError("invalid UTF-8 string") from None

    def _key(self, depth):
        mark = self.data[self.at] if self.at < len(self.data) else None
        key = self.value(depth + 1)
        if isinstance(key, str) or self.option & names.OPT_NON_STR_KEYS:
            return tuple(key) if isinstance(key, list) else key
        raise ValueError(f"invalid type {_marker(mark, key)}")

    def _ext(self, size):
        tag = self._number(">b")
        data = self._take(size)
        if tag == form.TIMESTAMP and self.option & names.OPT_DATETIME_AS_TIMESTAMP_EXT:
            return _moment_of(data)
        if self.ext_hook is None:
            raise ValueError("ext_hook missing")
        return self.ext_hook(tag, data)


def _marker(mark, key):
    """Return how the library calls the beginning of a key that is no text."""
    if mark < 0x80:
        return f"FixPos({key})"
    return {None: "Null", True: "True", False: "False"}.get(key, type(key).__name__)
