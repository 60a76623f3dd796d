"""Executors whose workers end when there is nothing to do.

One that waits for work, as on CPython, would keep the session from being parked.
"""

import concurrent.futures
import concurrent.futures.thread
import contextvars
import functools
import queue
import threading

from . import stacks
from .locks import Lock

_begin = {}


def _with(values, function, /, *arguments, **options):
    stacks.carry(values)
    return function(*arguments, **options)


class _Worker(threading.Thread):
    """A worker of an executor: rests without a stack, and goes on as the same thread."""

    def __init__(self, executor, name):
        super().__init__(name=name)
        self._executor = executor
        self._work = executor._create_worker_context()
        self._is_ready = False

    def go(self):
        """Do what there is to do, when the thread that runs waits."""
        self._context = contextvars.Context()
        threading._limbo[self] = self
        _begin["thread"](self._bootstrap, self._os_thread_handle)

    def run(self):
        """Do what there is to do, and rest."""
        executor = self._executor
        if not self._is_ready:
            try:
                self._work.initialize()
            except BaseException:
                concurrent.futures._base.LOGGER.critical("Exception in initializer:", exc_info=True)
                executor._initializer_failed()
                return
            self._is_ready = True
        while True:
            try:
                item = executor._work_queue.get_nowait()
            except queue.Empty:
                executor._resting.append(self)
                return
            if item is not None:
                item.run(self._work)
                # Whoever has the future decides how long its result is kept.
                del item

    def join(self, timeout=None):
        """Wait until the worker rests."""
        if self is threading.current_thread():
            raise RuntimeError("cannot join current thread")
        self._os_thread_handle.join(timeout)


class ThreadPoolExecutor(concurrent.futures.thread.ThreadPoolExecutor):
    """Stands for the one of the standard library."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._resting = []

    def submit(self, fn, /, *args, **kwargs):
        """Have a worker call a function; returns a future of what comes of it."""
        return super().submit(functools.partial(_with, stacks.carried(), fn), *args, **kwargs)

    def _adjust_thread_count(self):
        if self._resting:
            worker = self._resting.pop()
        elif len(self._threads) < self._max_workers:
            name = f"{self._thread_name_prefix or self}_{len(self._threads)}"
            worker = _Worker(self, name)
            self._threads.add(worker)
        else:
            return
        worker.go()


class ProcessPoolExecutor(ThreadPoolExecutor):
    """Stands for the one of the standard library: its processes are threads."""

    def __init__(
        self,
        max_workers=None,
        mp_context=None,
        initializer=None,
        initargs=(),
        *,
        max_tasks_per_child=None,
    ):
        super().__init__(max_workers, "", initializer, initargs)


def install(begin):
    """Put the executors in the place of those that need threads or processes.

    `begin` has a function run as a thread, of which a handle tells.
    """
    _begin["thread"] = begin
    thread = concurrent.futures.thread
    thread._global_shutdown_lock = Lock()
    thread.ThreadPoolExecutor = ThreadPoolExecutor
    concurrent.futures.ThreadPoolExecutor = ThreadPoolExecutor
    concurrent.futures.ProcessPoolExecutor = ProcessPoolExecutor
    try:
        import concurrent.futures.process as process
    except ImportError:  # no multiprocessing in this interpreter
        return
    process.ProcessPoolExecutor = ProcessPoolExecutor
