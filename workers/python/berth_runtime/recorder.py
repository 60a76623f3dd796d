"""What packages do while an image is made of them that later sessions would have in common.

A profile function sees it and leaves nothing behind in what it looks at. It is for honest packages:
one that deceives it harms the servers that import it, as it can anyhow.
"""

import _random
import asyncio
import datetime
import gc
import os
import random
import sys
import time
from importlib.metadata import MetadataPathFinder

from . import threads
from .entropy import RENEWED, renew

# What a list of read variables says where all of them were looked through.
ALL = "*"
_NAMES_MAX = 500
_NAME_MAX = 128
_FILES_FROM = 3
_FILES_TO = 64

_GET = os._Environ.__getitem__.__code__
_WALK = os._Environ.__iter__.__code__
_SEED = random.Random.seed.__code__
# Who looks through all variables for those of its own.
_WALKERS = {"tqdm.utils": "TQDM_*"}
_BETWEEN = ("os", "_collections_abc", "collections.abc", "uuid", "secrets", "random", "datetime")
# Keeps the time of a message, and no other.
_MAY_READ_CLOCKS = ("logging",)
_CLOCKS = {"time", "time_ns", "now", "utcnow", "today"}
# Compiled modules that draw secrets for their hash tables alone.
_MAY_DRAW = ("/lib/packages/pydantic-core/", "/lib/packages/jiter/")
_DRAWS = {"urandom", "getrandom", "random", "getrandbits"}


def _open_files():
    """Return the numbers of open files beyond the standard streams."""
    found = set()
    for number in range(_FILES_FROM, _FILES_TO):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.add(number)
    return found


def _is_draw(called):
    owner = getattr(called, "__self__", None)
    return called is os.urandom or isinstance(owner, _random.Random)


def _is_clock(called):
    owner = getattr(called, "__self__", None)
    if owner is time:
        return True
    return isinstance(owner, type) and issubclass(owner, datetime.date)


def _module(frame):
    """Return the name of the module that asked the standard library for something."""
    while frame.f_back is not None and frame.f_globals.get("__name__") in _BETWEEN:
        frame = frame.f_back
    return frame.f_globals.get("__name__")


class Recorder:
    """Notes what is read and drawn while it is on."""

    def __init__(self, drawn):
        # Gives the paths of compiled modules that have drawn random values, a line each.
        self._drawn = drawn
        # Names of environment variables.
        self.reads = set()
        # Generators of `random` that were seeded from the system.
        self.generators = []
        # What keeps modules out of images, by module.
        self.refused = {}
        self._faults = []
        self._tasks = set()
        self._threads = threads.started()
        self._files = _open_files()

    def _watch(self, frame, event, called):
        if event == "call":
            code = frame.f_code
            if code is _GET:
                self._read(frame.f_locals.get("key"))
            elif code is _WALK:
                self.reads.add(_WALKERS.get(_module(frame), ALL))
            elif code is _SEED and frame.f_locals.get("a") is None:
                self.generators.append(frame.f_locals["self"])
        elif event == "c_call":
            self._look_at(getattr(called, "__name__", None), called, frame)

    def _look_at(self, name, called, frame):
        if name in _DRAWS and _is_draw(called):
            if (module := _module(frame)) not in RENEWED:
                self._faults.append(f"draws random values ({module})")
        elif name in _CLOCKS and _is_clock(called):
            module = _module(frame)
            if module not in _MAY_READ_CLOCKS and module not in RENEWED:
                self._faults.append(f"reads the clock ({module})")

    def _read(self, name):
        name = os.fsdecode(name) if isinstance(name, bytes) else name
        if not isinstance(name, str):
            return
        fits = len(name) <= _NAME_MAX and len(self.reads) < _NAMES_MAX
        self.reads.add(name if fits else ALL)

    def _kept_open(self):
        """Return the numbers of open files, without those that nobody has and those of lists."""
        if _open_files() - self._files:
            MetadataPathFinder.invalidate_caches()
            gc.collect()
        return _open_files()

    def run(self, module, work):
        """Do `work` for a module, and note why it may be in no image."""
        self._faults = []
        known = set(sys.modules)
        sys.setprofile(self._watch)
        try:
            work()
        # Also what is no Exception: it must not end the interpreter.
        except BaseException as error:
            self._faults.append(f"raises {type(error).__name__}: {error}"[:300])
        finally:
            sys.setprofile(None)
        try:
            renew(sys.modules.keys() - known)
        except Exception as error:
            self._faults.append(f"draws what cannot be renewed: {type(error).__name__}"[:300])
        for path in self._drawn().splitlines():
            if not path.startswith(_MAY_DRAW):
                self._faults.append(f"draws random values ({path.rpartition('/')[2]})")
        tasks = asyncio.all_tasks(asyncio.get_event_loop())
        if tasks - self._tasks:
            self._faults.append("starts a task")
        self._tasks = tasks
        if threads.started() != self._threads:
            self._faults.append("starts a thread")
        self._threads = threads.started()
        files = self._kept_open()
        if files - self._files:
            self._faults.append("keeps a file open")
        self._files = files
        if self._faults:
            self.refused[module] = self._faults[0]
