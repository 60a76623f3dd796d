"""Writes values as MessagePack."""

import dataclasses
import datetime
import enum
import re
import struct
import uuid

from . import _formats as form
from . import _names as names

_DEEPEST_DEFAULT = 254
_PLAIN = (str, int, dict, list)
_BYTES = (bytes, bytearray, memoryview)
_TIMES = (datetime.datetime, datetime.date, datetime.time)


def _head(size, short, longer):
    """Return the bytes before content of a size, which `short` or one of `longer` holds."""
    limit, base = short
    if size < limit:
        return bytes([base + size])
    for mark, packed in longer:
        if size < 1 << 8 * struct.calcsize(packed):
            return bytes([mark]) + struct.pack(packed, size)
    raise TypeError("Value is too large")


class Writer:
    """Writes values, part by part."""

    def __init__(self, default, option):
        self.default = default
        self.option = option
        self.parts = []

    def value(self, item, depth, defaults=0):
        """Write a value inside `depth` others; `defaults` counts calls of `default` around it."""
        kind = type(item)
        if depth > form.DEEPEST:
            raise TypeError("Recursion limit reached")
        if isinstance(item, enum.Enum):
            if self.option & names.OPT_PASSTHROUGH_ENUM:
                return self._other(item, depth, defaults)
            return self.value(item.value, depth, defaults)
        if not self.option & names.OPT_PASSTHROUGH_SUBCLASS and kind is not bool:
            kind = next((plain for plain in _PLAIN if isinstance(item, plain)), kind)
        if item is None or kind is bool:
            return self.parts.append({None: b"\xc0", False: b"\xc2", True: b"\xc3"}[item])
        if kind is int:
            return self._integer(int(item), depth, defaults)
        if kind is str:
            return self._text(item)
        if kind is float:
            return self.parts.append(b"\xcb" + struct.pack(">d", item))
        if kind in _BYTES:
            data = bytes(item)
            return self.parts.extend((_head(len(data), *form.BIN), data))
        if kind is dict:
            return self._map(item, depth, defaults)
        if kind is list or (kind is tuple and not self.option & names.OPT_PASSTHROUGH_TUPLE):
            self.parts.append(_head(len(item), *form.ARRAY))
            for inner in item:
                self.value(inner, depth + 1, defaults)
            return None
        return self._other(item, depth, defaults)

    def _integer(self, number, depth, defaults):
        if not -(2**63) <= number < 2**64:
            if self.option & names.OPT_PASSTHROUGH_BIG_INT:
                return self._by_default(number, depth, defaults)
            raise TypeError("Integer exceeds 64-bit range")
        if -32 <= number < 128:
            return self.parts.append(struct.pack(">b", number))
        forms = "BHIQ" if number > 0 else "bhiq"
        for mark, letter in enumerate(forms, 0xCC if number > 0 else 0xD0):
            bits = 8 * struct.calcsize(">" + letter)
            if number < 1 << bits if number > 0 else number >= -(1 << bits - 1):
                return self.parts.append(bytes([mark]) + struct.pack(">" + letter, number))
        return None

    def _text(self, text):
        try:
            data = str(text).encode()
        except UnicodeEncodeError:
            if not self.option & names.OPT_REPLACE_SURROGATES:
                raise TypeError("string contains surrogates") from None
            data = str(text).encode(errors="replace")
        self.parts.extend((_head(len(data), *form.STR), data))

    def _map(self, items, depth, defaults):
        pairs = items.items()
        if self.option & names.OPT_SORT_KEYS:
            pairs = sorted(pairs)
        self.parts.append(_head(len(pairs), *form.MAP))
        for key, item in pairs:
            if isinstance(key, str) and not isinstance(key, enum.Enum):
                self._text(key)
            elif self.option & names.OPT_NON_STR_KEYS:
                self._key(key, depth, defaults)
            else:
                raise TypeError("Dict key must be str")
            self.value(item, depth + 1, defaults)

    def _key(self, key, depth, defaults):
        plain = isinstance(key, (enum.Enum, int, float, bytes, tuple, uuid.UUID, *_TIMES))
        if key is not None and not plain:
            raise TypeError("Dict key must a type serializable with OPT_NON_STR_KEYS")
        self.value(key, depth + 1, defaults)

    def _other(self, item, depth, defaults):
        option = self.option
        if isinstance(item, names.Fragment):
            return self.parts.append(item.data)
        if isinstance(item, names.Ext):
            return self._ext(item.tag, item.data)
        if isinstance(item, uuid.UUID) and not option & names.OPT_PASSTHROUGH_UUID:
            return self._text(str(item))
        if type(item) in _TIMES and not option & names.OPT_PASSTHROUGH_DATETIME:
            return self._moment(item)
        fields = dataclasses.is_dataclass(item) and not isinstance(item, type)
        if fields and not option & names.OPT_PASSTHROUGH_DATACLASS:
            return self._fields([field.name for field in dataclasses.fields(item)], item, depth)
        if option & names.OPT_SERIALIZE_PYDANTIC and hasattr(type(item), "model_dump"):
            return self._fields(list(item.__dict__), item, depth)
        if option & names.OPT_SERIALIZE_NUMPY and type(item).__module__ == "numpy":
            return self.value(item.tolist(), depth, defaults)
        return self._by_default(item, depth, defaults)

    def _fields(self, keys, item, depth):
        given = {name: getattr(item, name) for name in keys if not name.startswith("_")}
        self._map(given, depth, 0)

    def _by_default(self, item, depth, defaults):
        problem = f"Type is not msgpack serializable: {_name(item)}"
        if self.default is None:
            raise TypeError(problem)
        if defaults >= _DEEPEST_DEFAULT:
            raise TypeError("Recursion limit for default hook reached")
        try:
            made = self.default(item)
        except Exception as error:
            raise TypeError(problem) from error
        return self.value(made, depth, defaults + 1)

    def _ext(self, tag, data):
        if not 0 <= tag <= 127 and tag != form.TIMESTAMP:
            raise TypeError("Extension type out of range")
        fixed = form.FIXED.get(len(data))
        head = _head(len(data), *form.EXT) if fixed is None else bytes([fixed])
        self.parts.extend((head, struct.pack(">b", tag), data))

    def _moment(self, item):
        if isinstance(item, datetime.time) and item.tzinfo is not None:
            raise TypeError("datetime.time must not have tzinfo set")
        if self.option & names.OPT_OMIT_MICROSECONDS and hasattr(item, "microsecond"):
            item = item.replace(microsecond=0)
        if not isinstance(item, datetime.datetime):
            return self._text(item.isoformat())
        if item.tzinfo is None and self.option & names.OPT_NAIVE_UTC:
            item = item.replace(tzinfo=datetime.UTC)
        if item.tzinfo is not None and self.option & names.OPT_DATETIME_AS_TIMESTAMP_EXT:
            return self._ext(form.TIMESTAMP, _stamp(item))
        text = re.sub(r"([+-]\d\d:\d\d):\d\d.*$", r"\1", item.isoformat())
        utc = self.option & names.OPT_UTC_Z
        return self._text(re.sub(r"\+00:00$", "Z", text) if utc else text)


def _stamp(moment):
    """Return a moment as the content of the timestamp's type."""
    since = moment - form.EPOCH
    seconds, nanoseconds = (
        since.days * 86_400 + since.seconds,
        since.microseconds * 1000,
    )
    if not 0 <= seconds < 1 << 34:
        return struct.pack(">Iq", nanoseconds, seconds)
    if nanoseconds == 0 and seconds < 1 << 32:
        return struct.pack(">I", seconds)
    return struct.pack(">Q", nanoseconds << 34 | seconds)


def _name(item):
    """Return the name of a value's type; those of the library's compiled modules have these."""
    kind = type(item)
    dotted = kind.__module__ in ("collections", "datetime", "decimal")
    return f"{kind.__module__}.{kind.__name__}" if dotted else kind.__name__
