"""Stand-in for orjson, which is compiled code: the same functions and options, in Python."""

import dataclasses
import datetime
import enum
import json
import re
import uuid

__version__ = "3.13.0"
OPT_INDENT_2 = 1
OPT_NAIVE_UTC = 2
OPT_NON_STR_KEYS = 4
OPT_OMIT_MICROSECONDS = 8
OPT_SERIALIZE_NUMPY = 16
OPT_SORT_KEYS = 32
OPT_STRICT_INTEGER = 64
OPT_UTC_Z = 128
OPT_PASSTHROUGH_SUBCLASS = 256
OPT_PASSTHROUGH_DATETIME = 512
OPT_APPEND_NEWLINE = 1024
OPT_PASSTHROUGH_DATACLASS = 2048
OPT_SERIALIZE_DATACLASS = OPT_SERIALIZE_UUID = 0

JSONEncodeError = TypeError
_DEEPEST_DEFAULT = 254
_PLAIN = (str, int, dict, list)
_EXACT = {str, int, float, bool, dict, list, tuple, type(None)}


class JSONDecodeError(json.JSONDecodeError):
    """Text is no JSON."""


class Fragment:
    """JSON text that is taken over as it is."""

    def __init__(self, contents):
        self.contents = contents


def loads(data, /):
    """Return the value of JSON text, given as text or as bytes in UTF-8."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        try:
            data = bytes(data).decode()
        except UnicodeDecodeError as error:
            told = "str is not valid UTF-8: surrogates not allowed"
            raise JSONDecodeError(told, "", error.start) from None
    elif not isinstance(data, str):
        raise JSONDecodeError("Input must be bytes, bytearray, memoryview, or str", "", 0)
    if not data:
        told = "Input is a zero-length, empty document"
        raise JSONDecodeError(told, data, 0)
    try:
        return json.loads(data, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise JSONDecodeError(error.msg, error.doc, error.pos) from None
    except _Constant as error:
        raise JSONDecodeError("unexpected character", data, data.find(str(error))) from None


class _Constant(Exception):
    """One of the words that Python reads as a number and JSON does not have."""


def _no_constant(word):
    raise _Constant(word)


def dumps(obj, /, default=None, option=None):
    """Return a value as JSON in UTF-8; raises TypeError for what JSON cannot hold."""
    option = option or 0
    data = _Writer(default, option).value(obj, 0)
    indent = 2 if option & OPT_INDENT_2 else None
    separators = (",", ": ") if indent else (",", ":")
    text = json.dumps(data, ensure_ascii=False, indent=indent, separators=separators)
    for mark, contents in _fragments(data):
        text = text.replace(json.dumps(mark), contents)
    try:
        return (text + "\n" * bool(option & OPT_APPEND_NEWLINE)).encode()
    except UnicodeEncodeError:
        raise TypeError("str is not valid UTF-8: surrogates not allowed") from None


class _Raw(str):
    """A mark in the place of a fragment."""

    contents = ""


def _fragments(data):
    if isinstance(data, _Raw):
        yield str(data), data.contents
    elif isinstance(data, (dict, list)):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _fragments(item)


class _Writer:
    """Turns values into those that `json` writes as orjson does."""

    def __init__(self, default, option):
        self.default = default
        self.option = option

    def value(self, item, depth):
        """Return the plain value; `depth` counts the calls of `default` around it."""
        kind = type(item)
        if kind not in _EXACT and not self.option & OPT_PASSTHROUGH_SUBCLASS:
            kind = next((plain for plain in _PLAIN if isinstance(item, plain)), kind)
            if isinstance(item, enum.Enum):
                return self.value(item.value, depth)
        if item is None or kind is bool:
            return item
        if kind is str:
            return str(item)
        if kind is int:
            return self._integer(int(item))
        if kind is float:
            return _number(item)
        if kind is dict:
            return self._object(item, depth)
        if kind in (list, tuple):
            return [self.value(inner, depth) for inner in item]
        return self._other(item, depth)

    def _other(self, item, depth):
        option = self.option
        if isinstance(item, enum.Enum):
            return self.value(item.value, depth)
        if isinstance(item, uuid.UUID):
            return str(item)
        times = (datetime.datetime, datetime.date, datetime.time)
        if type(item) in times and not option & OPT_PASSTHROUGH_DATETIME:
            return self._moment(item)
        if isinstance(item, Fragment):
            contents = item.contents
            mark = _Raw(uuid.uuid4())
            mark.contents = contents if isinstance(contents, str) else contents.decode()
            return mark
        fields = dataclasses.is_dataclass(item) and not isinstance(item, type)
        if fields and not option & OPT_PASSTHROUGH_DATACLASS:
            names = [field.name for field in dataclasses.fields(item)]
            given = {name: getattr(item, name) for name in names if not name.startswith("_")}
            return self._object(given, depth)
        if self.default is None:
            raise TypeError(f"Type is not JSON serializable: {_name(item)}")
        if depth >= _DEEPEST_DEFAULT:
            raise TypeError("default serializer exceeds recursion limit")
        try:
            made = self.default(item)
        except Exception as error:
            raise TypeError(f"Type is not JSON serializable: {_name(item)}") from error
        return self.value(made, depth + 1)

    def _integer(self, number):
        bits = 53 if self.option & OPT_STRICT_INTEGER else 64
        low = -(2**53) + 1 if bits == 53 else -(2**63)
        if not low <= number < 2**bits:
            raise TypeError(f"Integer exceeds {bits}-bit range")
        return number

    def _object(self, items, depth):
        made = {self._key(key): self.value(item, depth) for key, item in items.items()}
        return dict(sorted(made.items())) if self.option & OPT_SORT_KEYS else made

    def _key(self, key):
        if isinstance(key, str) and not isinstance(key, enum.Enum):
            return str(key)
        if not self.option & OPT_NON_STR_KEYS:
            raise TypeError("Dict key must be str")
        if isinstance(key, enum.Enum):
            return self._key(key.value)
        if key is None or isinstance(key, bool):
            return {None: "null", True: "true", False: "false"}[key]
        if isinstance(key, int):
            return str(self._integer(key))
        if isinstance(key, float):
            number = _number(key)
            return "null" if number is None else repr(number)
        if isinstance(key, uuid.UUID):
            return str(key)
        if isinstance(key, (datetime.datetime, datetime.date, datetime.time)):
            return self._moment(key)
        raise TypeError("Dict key must a type serializable with OPT_NON_STR_KEYS")

    def _moment(self, item):
        if isinstance(item, datetime.time) and item.tzinfo is not None:
            raise TypeError("datetime.time must not have tzinfo set")
        if self.option & OPT_OMIT_MICROSECONDS and hasattr(item, "microsecond"):
            item = item.replace(microsecond=0)
        if not isinstance(item, datetime.datetime):
            return item.isoformat()
        if item.tzinfo is None and self.option & OPT_NAIVE_UTC:
            item = item.replace(tzinfo=datetime.timezone.utc)
        text = re.sub(r"([+-]\d\d:\d\d):\d\d.*$", r"\1", item.isoformat())
        return re.sub(r"\+00:00$", "Z", text) if self.option & OPT_UTC_Z else text


def _name(item):
    """Return the name of a value's type; those of the library's compiled modules have these."""
    kind = type(item)
    dotted = kind.__module__ in ("collections", "datetime", "decimal")
    return f"{kind.__module__}.{kind.__name__}" if dotted else kind.__name__


def _number(number):
    """Return a number, or None for those that JSON does not have."""
    return number if number - number == 0 else None
