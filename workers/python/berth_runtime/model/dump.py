"""Turning values into plain Python data and into JSON."""

import base64
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import json
import pathlib
import sys
import uuid


def to_jsonable(value, *, fallback=None, strict=False, options=None):
    """Return the value as data that JSON can hold.

    `fallback` turns an unknown object into something known; without it such an object raises
    TypeError. `strict` refuses text that is no JSON, as in default values of a schema.
    """
    if value is None or isinstance(value, (bool, str)) and not isinstance(value, enum.Enum):
        return str(value) if isinstance(value, str) and type(value) is not str else value
    if isinstance(value, enum.Enum):
        return to_jsonable(value.value, fallback=fallback, options=options)
    if isinstance(value, (int, float)):
        return value
    if hasattr(value, "__berth_dump__"):
        return value.__berth_dump__(fallback, options)
    if isinstance(value, collections.abc.Mapping):
        return {
            _key(key): to_jsonable(item, fallback=fallback, options=options)
            for key, item in value.items()
        }
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_jsonable(getattr(value, field.name), fallback=fallback, options=options)
            for field in dataclasses.fields(value)
            if field.repr or not field.name.startswith("_")
        }
    if isinstance(value, collections.abc.Iterator):
        value = _taken(value)
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)) or isinstance(
        value, (collections.abc.KeysView, collections.abc.ValuesView)
    ):
        return [to_jsonable(item, fallback=fallback, options=options) for item in value]
    scalar = _scalar(value)
    if scalar is not None:
        return scalar
    if callable(getattr(value, "model_dump", None)) and not isinstance(value, type):
        return value.model_dump(mode="json", by_alias=True)
    if type(value).__module__.startswith("pydantic"):
        return sys.modules["pydantic_core"].to_jsonable_python(value)
    if fallback is not None and not strict:
        return to_jsonable(fallback(value))
    raise TypeError(f"Unable to serialize unknown type: {type(value)}")


def _taken(iterator):
    """Return all items; what the iterator raises is told as a fault of writing JSON."""
    try:
        return list(iterator)
    except Exception as error:
        kind = type(error).__name__
        raise ValueError(f"Error serializing to JSON: {kind}: {error}") from error


def _key(key):
    if key is None:
        return "None"
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, str) and type(key) is str:
        return key
    plain = to_jsonable(key, fallback=str)
    return plain if isinstance(plain, str) else str(plain)


def _scalar(value):
    """Return the text of a value of a well-known type, else None."""
    if isinstance(value, (bytes, bytearray)):
        try:
            return bytes(value).decode()
        except UnicodeDecodeError as error:
            count = error.end - error.start
            raise ValueError(
                "Error serializing to JSON: invalid utf-8 sequence of "
                f"{count} bytes from index {error.start}"
            ) from None
    if isinstance(value, datetime.datetime):
        return _zulu(value.isoformat())
    if isinstance(value, (datetime.date, datetime.time)):
        return _zulu(value.isoformat()) if isinstance(value, datetime.time) else value.isoformat()
    if isinstance(value, datetime.timedelta):
        return duration(value)
    if isinstance(value, (decimal.Decimal, uuid.UUID, pathlib.PurePath)):
        return str(value)
    if isinstance(value, complex):
        return str(value).strip("()")
    if type(value).__module__ in ("ipaddress", "fractions", "zoneinfo"):
        return str(value)
    if hasattr(value, "pattern") and hasattr(value, "fullmatch"):
        return value.pattern
    return None


def _zulu(text):
    return text[:-6] + "Z" if text.endswith("+00:00") else text


def duration(value):
    """Return a timedelta in ISO 8601, as in `P1DT2H`."""
    seconds = value.total_seconds()
    sign = "-" if seconds < 0 else ""
    value = abs(value)
    days, rest = value.days, value.seconds
    hours, rest = divmod(rest, 3600)
    minutes, whole = divmod(rest, 60)
    text = f"{sign}P{days}D" if days else f"{sign}P"
    clock = f"{hours}H" if hours else ""
    clock += f"{minutes}M" if minutes else ""
    if whole or value.microseconds:
        fraction = f".{value.microseconds:06d}".rstrip("0") if value.microseconds else ""
        clock += f"{whole}{fraction}S"
    if clock:
        text += f"T{clock}"
    return text if days or clock else "PT0S"


def to_json(value, *, indent=None, fallback=None):
    """Return the value as JSON text with pydantic's spacing: compact, or indented."""
    return encode(to_jsonable(value, fallback=fallback), indent=indent)


def encode(data, *, indent=None):
    """Encode JSON-able data as pydantic does; only small floats differ from `json` (`1e-7`)."""
    if _has_small_float(data):
        return _written(data, indent, "\n")
    separators = (",", ": ") if indent else (",", ":")
    return json.dumps(data, indent=indent, ensure_ascii=False, separators=separators)


def _has_small_float(data):
    if type(data) is float:
        return 0 < abs(data) < 1e-4
    if isinstance(data, dict):
        return any(_has_small_float(item) for item in data.values())
    return isinstance(data, list) and any(_has_small_float(item) for item in data)


def _written(data, indent, line):
    if type(data) is float:
        return repr(data).replace("e-0", "e-")
    if not isinstance(data, (dict, list)) or not data:
        return json.dumps(data, ensure_ascii=False)
    inner = line + " " * indent if indent else ""
    if isinstance(data, dict):
        colon = ": " if indent else ":"
        items = [
            f"{json.dumps(key, ensure_ascii=False)}{colon}{_written(item, indent, inner)}"
            for key, item in data.items()
        ]
    else:
        items = [_written(item, indent, inner) for item in data]
    start, end = "{}" if isinstance(data, dict) else "[]"
    return f"{start}{inner}{f',{inner}'.join(items)}{line if indent else ''}{end}"


def base64_text(data):
    """Return bytes in standard base64, as MCP content carries them."""
    return base64.b64encode(data).decode("ascii")
