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


class InlineResult:
    """What `apply_async` and the like return: it is there already."""

    def __init__(self, future):
        self._future = future

    def get(self, timeout=None):
        """Return the result, or raise what the function raised."""
        return self._future.result()

    def wait(self, timeout=None):
        """Do nothing: there is nothing to wait for."""

    def ready(self):
        """Return whether it is there."""
        return True

    def successful(self):
        """Return whether the function returned."""
        return self._future.exception() is None


class InlinePool:
    """Stands for `multiprocessing.Pool` and `ThreadPool`; functions run at once, in the caller."""

    def __init__(self, processes=None, initializer=None, initargs=(), *_arguments, **_options):
        self._executor = InlineExecutor(processes, initializer=initializer, initargs=initargs)

    def apply_async(self, func, args=(), kwds=None, callback=None, error_callback=None):
        """Call a function; returns what stands for its result."""
        future = self._executor.submit(func, *args, **(kwds or {}))
        tell = callback if future.exception() is None else error_callback
        if tell is not None:
            tell(future.exception() or future.result())
        return InlineResult(future)

    def apply(self, func, args=(), kwds=None):
        """Call a function and return its result."""
        return self.apply_async(func, args, kwds).get()

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """Call a function for each item; returns what stands for the list of results."""
        items = list(iterable)
        return self.apply_async(
            lambda: [func(item) for item in items], (), None, callback, error_callback
        )

    def map(self, func, iterable, chunksize=None):
        """Call a function for each item and return the results."""
        return self.map_async(func, iterable).get()

    def starmap(self, func, iterable, chunksize=None):
        """Call a function with the arguments of each item and return the results."""
        return self.map(lambda arguments: func(*arguments), iterable)

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """Call a function with the arguments of each item; returns what stands for the results."""
        return self.map_async(lambda each: func(*each), iterable, None, callback, error_callback)

    def imap(self, func, iterable, chunksize=1):
        """Return the results one by one."""
        return iter(self.map(func, iterable))

    imap_unordered = imap

    def close(self):
        """Take no more work."""
        self._executor.shutdown()

    terminate = close

    def join(self):
        """Do nothing: nothing is left to do."""

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()


def _install_pools():
    try:
        import multiprocessing
        import multiprocessing.dummy
        import multiprocessing.pool
    except ImportError:  # no multiprocessing in this interpreter
        return
    multiprocessing.pool.Pool = multiprocessing.pool.ThreadPool = InlinePool
    multiprocessing.Pool = multiprocessing.dummy.Pool = InlinePool
    multiprocessing.context.BaseContext.Pool = lambda _context, *args, **kw: InlinePool(*args, **kw)


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
    _install_pools()
