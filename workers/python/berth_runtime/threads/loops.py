"""Event loops of threads, and what loops have threads do."""

import asyncio

from . import executors, stacks

# As many as `to_thread` of other libraries has.
_DEFAULT_WORKERS = 40

_default = {}


def _default_executor():
    if "executor" not in _default:
        _default["executor"] = executors.ThreadPoolExecutor(_DEFAULT_WORKERS, "asyncio")
    return _default["executor"]


def _run_in_executor(loop, executor, function, *arguments):
    """Have an executor call a function; returns a future of the loop."""
    future = (executor or _default_executor()).submit(function, *arguments)
    return asyncio.wrap_future(future, loop=loop)


def _set_default_executor(_loop, executor):
    _default["executor"] = executor


def _stops(loop):
    if not hasattr(loop, "_berth_stops"):
        loop._berth_stops = stacks.new_queue()
    return loop._berth_stops


def _running_until(plain):
    def run_until_complete(loop, future):
        """Run until the future is done; in a thread, the thread waits for that."""
        if not stacks.inside():
            return plain(loop, future)
        return stacks.run_sync(asyncio.ensure_future(future, loop=loop))

    return run_until_complete


def _running_forever(plain):
    def run_forever(loop):
        """Have a thread wait until the loop is stopped; the loop runs anyhow."""
        if not stacks.inside():
            return plain(loop)
        stacks.wait(_stops(loop))

    return run_forever


def _stop(loop):
    while stacks.wake(_stops(loop)):
        pass


def _own_loops(policy, webloop):
    get, new, put = policy.get_event_loop, policy.new_event_loop, policy.set_event_loop

    def get_event_loop(self):
        """Return the thread's loop; the session's where it has none."""
        return (stacks.own_loop() if stacks.inside() else None) or get(self)

    def new_event_loop(self):
        """Return a new loop, which is not that of other threads."""
        if not stacks.inside():
            return new(self)
        running = asyncio._get_running_loop()
        loop = webloop()
        asyncio._set_running_loop(running)
        stacks.own(loop)
        return loop

    def set_event_loop(self, loop):
        """Set the thread's loop."""
        return stacks.set_own_loop(loop) if stacks.inside() else put(self, loop)

    policy.get_event_loop = get_event_loop
    policy.new_event_loop = new_event_loop
    policy.set_event_loop = set_event_loop


def install():
    """Fit Pyodide's event loop to threads."""
    from pyodide.webloop import WebLoop, WebLoopPolicy

    WebLoop.run_in_executor = _run_in_executor
    WebLoop.set_default_executor = _set_default_executor
    WebLoop.run_until_complete = _running_until(WebLoop.run_until_complete)
    WebLoop.run_forever = _running_forever(WebLoop.run_forever)
    WebLoop.stop = _stop
    _own_loops(WebLoopPolicy, WebLoop)
