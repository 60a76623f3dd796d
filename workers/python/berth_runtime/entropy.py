"""What a session that begins from a snapshot must not have in common with others.

The secret of Python's hashes stays that of the snapshot: every dictionary in it is ordered by it.
"""

import random
import secrets

__all__ = ["refresh"]

_SIZES = range(16, 513, 16)
_MOST_OF_A_SIZE = 64
# Python keeps up to this many freed lists, dictionaries and numbers, at addresses of the snapshot.
_KEPT_FREE = 100
# Objects that only take addresses away, so that those which follow have others in each session.
_placeholders = []


def refresh(seed):
    """Seed `random`, and move the addresses, which `id` and default hashes are made of, of what is
    made from now on."""
    random.seed(seed)
    header = bytes.__basicsize__
    counts = zip(_SIZES, secrets.token_bytes(len(_SIZES)), strict=True)
    _placeholders[:] = [
        bytes(size - header) if size > header + 1 else object()
        for size, count in counts
        for _ in range(count % _MOST_OF_A_SIZE)
    ]
    for number in range(_KEPT_FREE):
        _placeholders.extend(([], {}, float(number)))
