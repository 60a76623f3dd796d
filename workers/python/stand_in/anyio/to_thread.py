"""Threads are not available: the function is called at once."""


async def run_sync(function, *arguments, **_options):
    """Call a function."""
    return function(*arguments)
