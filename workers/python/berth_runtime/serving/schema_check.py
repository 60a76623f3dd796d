"""Checks a value against a JSON Schema (2020-12), with the texts of `jsonschema`.

Both SDKs validate arguments and results against the schemas that a tool announced, and tell the
client the most relevant fault.
"""

from .schema_faults import Mismatch, is_type
from .schema_keywords import KEYWORDS


class Checker:
    """Applies the schemas of one document; references are looked up in it."""

    def __init__(self, root):
        self.root = root

    def faults(self, value, schema, path=()):
        """Yield every fault of a value, in the order of the schema's keywords."""
        if schema is True:
            return
        if schema is False:
            text = f"False schema does not allow {value!r}"
            yield Mismatch(text, path, value, {})
            return
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield from self.faults(value, self._target(reference), path)
        for keyword, given in schema.items():
            check = KEYWORDS.get(keyword)
            if check is not None:
                yield from check(self, value, given, schema, path)

    def accepts(self, value, schema):
        """Return whether a value has no fault."""
        return next(self.faults(value, schema), None) is None

    def _target(self, reference):
        """Return what a reference inside the document points to; others allow anything."""
        found = self.root
        if not reference.startswith("#"):
            return True
        for part in reference[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if isinstance(found, list) and part.isdigit() and int(part) < len(found):
                found = found[int(part)]
            elif isinstance(found, dict) and part in found:
                found = found[part]
            else:
                return True
        return found


def fault_of(value, schema):
    """Return the text of the most relevant fault, or None when the value conforms."""
    best = max(Checker(schema).faults(value, schema), key=_rank, default=None)
    if best is None:
        return None
    while best.below:
        ordered = sorted(best.below, key=_rank)
        if len(ordered) > 1 and _rank(ordered[0]) == _rank(ordered[1]):
            break
        best = ordered[0]
    return best.text


def _rank(fault):
    """Order of relevance: shallow faults before deep ones, alternatives and wrong types last."""
    kinds = fault.schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds or []
    fits = any(is_type(fault.value, kind) for kind in kinds)
    path = [(isinstance(part, str), part) for part in fault.path]
    return (-len(path), path, not fault.weak, not fits)
