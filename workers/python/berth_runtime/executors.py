"""Executors without threads: what is submitted runs at once, in the caller."""

import concurrent.futures
from concurrent.futures import Executor, Future


class InlineExecutor(Executor):
    """Stands for `ThreadPoolExecutor` and `ProcessPoolExecutor`; futures are done when returned."""

    def __init__(self, max_workers=None, *_arguments, initializer=None, initargs=(), **_options):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        self._closed = False
        self._initializer = initializer
        self._initargs = initargs

    def submit(self, fn, /, *args, **kwargs):
        """Call a function now; returns a future that holds what came of it."""
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        initializer, self._initializer = self._initializer, None
        if initializer is not None:
            initializer(*self._initargs)
        future = Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        # An interrupt is not the function's own and goes on to whoever runs the call.
        except (Exception, SystemExit) as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        """Take no more work; there is none that waits."""
        self._closed = True


def install():
    """Put the executor in the place of those that need threads or processes."""
    concurrent.futures.ThreadPoolExecutor = InlineExecutor
    concurrent.futures.ProcessPoolExecutor = InlineExecutor
    for name, wanted in (("thread", "ThreadPoolExecutor"), ("process", "ProcessPoolExecutor")):
        try:
            module = __import__(f"concurrent.futures.{name}", fromlist=[wanted])
        except ImportError:  # no multiprocessing in this interpreter
            continue
        setattr(module, wanted, InlineExecutor)
