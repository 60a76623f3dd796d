"""JSON text for the host: always valid JSON, whatever a server returned."""

import json
import math

_COMPACT = (",", ":")
_PLAIN = json.JSONEncoder(default=str, allow_nan=False, separators=_COMPACT)
_scan = json.JSONDecoder().scan_once


def parsed(text):
    """Return the value of JSON text that the host wrote: nothing stands before or after it."""
    return _scan(text, 0)[0]


def text_of(data):
    """Return data as JSON text; not-a-number and infinities become null, the unknown its text."""
    try:
        return _PLAIN.encode(data)
    except TypeError, ValueError:
        return json.dumps(_finite(data), default=str, separators=_COMPACT)


def _finite(data):
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key if isinstance(key, str) else str(key): _finite(v) for key, v in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(item) for item in data]
    return data
