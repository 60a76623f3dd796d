"""What a session that begins from a snapshot must not have in common with others.

The secret of Python's hashes stays that of the snapshot: every dictionary in it is ordered by it.
"""

import os
import random
import secrets
import sys
import weakref

__all__ = ["DRAWN", "refresh", "remember"]

# Modules of packages that draw random values when they are imported, with those that each session
# draws anew. The others name things within a process: links on a terminal, keys of a context.
DRAWN = {
    "openai.lib.bedrock": {"_LEGACY_SIGNATURE_KEY": lambda: os.urandom(32)},
    "opentelemetry.context": {},
    "rich.style": {},
}

_SIZES = range(16, 513, 16)
_MOST_OF_A_SIZE = 64
# Python keeps up to this many freed lists, dictionaries and numbers, at addresses of the snapshot.
_KEPT_FREE = 100
# Objects that only take addresses away, so that those which follow have others in each session.
_placeholders = []
# Of the image: generators that their packages did not seed.
_generators = weakref.WeakSet()


def remember(generators):
    """Have generators seeded anew in each session."""
    _generators.update(generators)


def refresh(seed):
    """Seed `random`, and move the addresses, which `id` and default hashes are made of, of what is
    made from now on."""
    random.seed(seed)
    for generator in _generators:
        generator.seed()
    for name, values in DRAWN.items():
        if (module := sys.modules.get(name)) is not None:
            for attribute, draw in values.items():
                setattr(module, attribute, draw())
    header = bytes.__basicsize__
    counts = zip(_SIZES, secrets.token_bytes(len(_SIZES)), strict=True)
    _placeholders[:] = [
        bytes(size - header) if size > header + 1 else object()
        for size, count in counts
        for _ in range(count % _MOST_OF_A_SIZE)
    ]
    for number in range(_KEPT_FREE):
        _placeholders.extend(([], {}, float(number)))
