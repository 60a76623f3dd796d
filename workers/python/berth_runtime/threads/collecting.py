"""Collecting cyclic garbage where stacks wait.

The interpreter's own small steps look at the frames of all stacks, also of those whose part of the
C stack others use now. Whole collections do not.
"""

import gc

# New objects after which there is a collection, when a stack waits or goes on.
_OBJECTS = 10_000

_collect, _enable, _disable, _is_enabled = gc.collect, gc.enable, gc.disable, gc.isenabled
_wanted = []


def begin():
    """From now on collect here only; done once."""
    if _wanted:
        return
    _wanted.append(_is_enabled())
    _disable()
    gc.collect = _whole
    gc.enable = lambda: _wanted.__setitem__(0, True)
    gc.disable = lambda: _wanted.__setitem__(0, False)
    gc.isenabled = lambda: _wanted[0]


def _whole(generation=2):
    """Collect all garbage, whatever the generation; returns how many objects it was."""
    return _collect()


def now_and_then():
    """Collect if there are many new objects."""
    if _wanted and _wanted[0] and gc.get_count()[0] > _OBJECTS:
        _collect()
