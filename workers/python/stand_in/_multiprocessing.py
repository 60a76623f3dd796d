"""Stands in for the C part of `multiprocessing`: locks between processes, of which there is one."""

import threading

flags = {}


class SemLock:
    """A semaphore, or a lock that its owner may take again."""

    SEM_VALUE_MAX = 2**31 - 1

    def __init__(self, kind, value, maxvalue, name, unlink):
        self.kind, self.maxvalue = kind, maxvalue
        # Without a name nobody else is told of it.
        self.name = None
        self.handle = id(self)
        self._value = value
        self._taken = 0

    def acquire(self, block=True, timeout=None):
        """Take it; returns whether it was to be had."""
        if self.kind == 0 and self._taken:
            self._taken += 1
            return True
        if self._value > 0:
            self._value -= 1
            self._taken += 1
            return True
        if not block:
            return False
        if timeout is None:
            raise RuntimeError("Nobody else can release this lock: there are no other processes")
        threading.Event().wait(timeout)
        return False

    def release(self):
        """Give it back."""
        if self.kind == 0:
            if not self._taken:
                raise AssertionError("attempt to release recursive lock not owned by thread")
        elif self._value >= self.maxvalue:
            raise ValueError("semaphore or lock released too many times")
        self._taken -= 1
        if self.kind != 0 or not self._taken:
            self._value += 1

    __enter__ = acquire

    def __exit__(self, *_error):
        self.release()

    def _count(self):
        return max(self._taken, 0)

    def _is_mine(self):
        return self._taken > 0

    def _get_value(self):
        return self._value

    def _is_zero(self):
        return self._value == 0

    def _after_fork(self):
        self._taken = 0


def sem_unlink(_name):
    """Do nothing: names are not shared with anybody."""
