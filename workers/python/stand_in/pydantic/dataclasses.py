"""Dataclasses; fields are not validated when an instance is made directly."""

import dataclasses


def dataclass(cls=None, *, config=None, **options):
    """Make a dataclass."""
    known = {key: value for key, value in options.items() if key != "validate_on_init"}
    make = dataclasses.dataclass(**known)
    return make if cls is None else make(cls)
