"""Locks for which a stack waits while others run. The compiled ones would block all of them."""

from . import stacks


class Lock:
    """Stands for `threading.Lock`. Who has waited longest gets it."""

    __slots__ = ("_held", "_queue", "__weakref__")

    def __init__(self):
        self._held = False
        self._queue = None

    def acquire(self, blocking=True, timeout=-1):
        """Take the lock within some seconds (-1: for ever); returns whether that was possible."""
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if not self._held:
            self._held = True
            return True
        if not blocking or timeout == 0:
            return False
        if self._queue is None:
            self._queue = stacks.new_queue()
        return stacks.wait(self._queue, None if timeout == -1 else timeout)

    def release(self):
        """Give the lock to who waits for it, or free it."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = bool(self._queue) and stacks.wake(self._queue)

    def locked(self):
        """Return whether somebody has it."""
        return self._held

    def _at_fork_reinit(self):
        self._held = False
        self._queue = None

    acquire_lock = acquire
    release_lock = release
    locked_lock = locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_error):
        self.release()

    def __repr__(self):
        status = "locked" if self._held else "unlocked"
        return f"<{status} _thread.lock object at {id(self):#x}>"
