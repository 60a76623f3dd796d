"""`multiprocessing.Pool` and `ThreadPool`, on the executors that stand for the standard ones."""

import concurrent.futures

from .executors import ThreadPoolExecutor


class Result:
    """What `apply_async` and the like return."""

    def __init__(self, futures, gather, callback=None, error_callback=None):
        self._futures = futures
        self._gather = gather
        self._callback = callback
        self._error_callback = error_callback
        self._left = len(futures)
        for future in futures:
            future.add_done_callback(self._count)
        if not futures and callback is not None:
            callback(gather([]))

    def _count(self, _future):
        self._left -= 1
        if self._left > 0:
            return
        error = self._error()
        if error is None and self._callback is not None:
            self._callback(self.get())
        elif error is not None and self._error_callback is not None:
            self._error_callback(error)

    def _error(self):
        errors = (future.exception() for future in self._futures)
        return next((error for error in errors if error is not None), None)

    def get(self, timeout=None):
        """Wait for the result and return it, or raise what the function raised."""
        self.wait(timeout)
        if not self.ready():
            import multiprocessing

            raise multiprocessing.TimeoutError
        return self._gather([future.result() for future in self._futures])

    def wait(self, timeout=None):
        """Wait until the result is there, at most for some seconds."""
        concurrent.futures.wait(self._futures, timeout)

    def ready(self):
        """Return whether the result is there."""
        return all(future.done() for future in self._futures)

    def successful(self):
        """Return whether the function returned."""
        if not self.ready():
            raise ValueError(f"{self!r} not ready")
        return self._error() is None


class _Results:
    """What `imap` returns: the results in their order."""

    def __init__(self, futures):
        self._futures = iter(futures)

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self, timeout=None):
        """Wait for the next result and return it."""
        return next(self._futures).result(timeout)


class Pool:
    """Stands for `multiprocessing.Pool` and `ThreadPool`."""

    def __init__(self, processes=None, initializer=None, initargs=(), *_arguments, **_options):
        if processes is not None and processes < 1:
            raise ValueError("Number of processes must be at least 1")
        self._executor = ThreadPoolExecutor(processes, initializer=initializer, initargs=initargs)

    def apply_async(self, func, args=(), kwds=None, callback=None, error_callback=None):
        """Have a function called; returns what stands for its result."""
        future = self._submit(func, *args, **(kwds or {}))
        return Result([future], lambda found: found[0], callback, error_callback)

    def _submit(self, function, /, *arguments, **options):
        try:
            return self._executor.submit(function, *arguments, **options)
        except RuntimeError:
            raise ValueError("Pool not running") from None

    def _each(self, function, iterable):
        return [self._submit(function, item) for item in iterable]

    def apply(self, func, args=(), kwds=None):
        """Have a function called and return its result."""
        return self.apply_async(func, args, kwds).get()

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """Have a function called for each item; returns what stands for the list of results."""
        return Result(self._each(func, iterable), list, callback, error_callback)

    def map(self, func, iterable, chunksize=None):
        """Have a function called for each item and return the results."""
        return self.map_async(func, iterable).get()

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """Have a function called with the arguments of each item."""
        futures = [self._submit(func, *arguments) for arguments in iterable]
        return Result(futures, list, callback, error_callback)

    def starmap(self, func, iterable, chunksize=None):
        """Have a function called with the arguments of each item and return the results."""
        return self.starmap_async(func, iterable).get()

    def imap(self, func, iterable, chunksize=1):
        """Return the results one by one, in the order of the items."""
        return _Results(self._each(func, iterable))

    def imap_unordered(self, func, iterable, chunksize=1):
        """Return the results one by one, as they come."""
        return _Results(concurrent.futures.as_completed(self._each(func, iterable)))

    def close(self):
        """Take no more work."""
        self._executor.shutdown(wait=False)

    def terminate(self):
        """Take no more work, and begin none of what waits."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def join(self):
        """Wait until all is done."""
        self._executor.shutdown()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.terminate()


def install():
    """Put the pool in the place of those of `multiprocessing`."""
    try:
        import multiprocessing
        import multiprocessing.dummy
        import multiprocessing.pool
    except ImportError:  # no multiprocessing in this interpreter
        return
    multiprocessing.pool.Pool = multiprocessing.pool.ThreadPool = Pool
    multiprocessing.Pool = multiprocessing.dummy.Pool = Pool
    multiprocessing.context.BaseContext.Pool = lambda _context, *args, **kw: Pool(*args, **kw)
