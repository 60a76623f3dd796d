"""Stand-in for uvloop: the interpreter has an event loop of its own."""

import asyncio


def install():
    """Do nothing."""


def run(main, **_options):
    """Run a coroutine."""
    return asyncio.run(main)


def new_event_loop():
    """Return the event loop."""
    return asyncio.new_event_loop()


class EventLoopPolicy:
    """The policy of the interpreter."""
