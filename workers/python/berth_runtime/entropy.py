"""What a session that begins from a snapshot must not have in common with others.

The secret of Python's hashes stays that of the snapshot: every dictionary in it is ordered by it.
"""

import os
import random
import secrets
import sys
import weakref
from datetime import UTC, datetime

__all__ = ["RENEWED", "refresh", "remember", "renew"]


def _set(owner, name, value):
    getattr(owner, name)
    setattr(owner, name, value)


def _renew_bedrock(module):
    _set(module, "_LEGACY_SIGNATURE_KEY", os.urandom(32))


def _renew_object_ids(module):
    _set(module.ObjectId, "_inc", secrets.randbelow(module._MAX_COUNTER_VALUE))
    _set(module.ObjectId, "_ObjectId__random", os.urandom(5))


def _renew_notifications(module):
    # Its only default is the time of the import. The class has the name of its module.
    kind = getattr(module, module.__name__.rpartition(".")[2])
    method = kind.mark_notifications_as_read
    (_before,) = method.__defaults__
    method.__defaults__ = (datetime.now(UTC),)


def _renew_loguru(module):
    _set(sys.modules["loguru._logger"], "start_time", module.aware_now())


def _keep(_module):
    """Leave it: it only names things within a process."""


# Modules of packages that draw random values or read the clock when they are imported, with what
# does that anew in each session.
RENEWED = {
    "branca.element": _keep,
    "bson.objectid": _renew_object_ids,
    "github.AuthenticatedUser": _renew_notifications,
    "github.Repository": _renew_notifications,
    "loguru._datetime": _renew_loguru,
    "openai.lib.bedrock": _renew_bedrock,
    "opentelemetry.context": _keep,
    "rich.style": _keep,
    "sympy.core.symbol": _keep,
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


def renew(names=RENEWED):
    """Draw anew what the modules among `names` drew that are there and in `RENEWED`.

    Raises an exception if one of them has another form.
    """
    for name in RENEWED.keys() & names:
        if (module := sys.modules.get(name)) is not None:
            RENEWED[name](module)


def refresh(seed):
    """Seed `random`, and move the addresses, which `id` and default hashes are made of, of what is
    made from now on."""
    random.seed(seed)
    for generator in _generators:
        generator.seed()
    renew()
    header = bytes.__basicsize__
    counts = zip(_SIZES, secrets.token_bytes(len(_SIZES)), strict=True)
    _placeholders[:] = [
        bytes(size - header) if size > header + 1 else object()
        for size, count in counts
        for _ in range(count % _MOST_OF_A_SIZE)
    ]
    for number in range(_KEPT_FREE):
        _placeholders.extend(([], {}, float(number)))
