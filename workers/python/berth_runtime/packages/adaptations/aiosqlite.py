"""aiosqlite: what a connection hands to its thread is called at once, so that none waits for it."""


class _Inline:
    """A connection's queue: takes a function and has it done, so that its thread has no work."""

    def put_nowait(self, item):
        """Call the function of an item; its future gets what comes of that."""
        if not isinstance(item, tuple):
            return
        future, function = item
        try:
            found = function()
        except Exception as error:
            if future is not None:
                future.set_exception(error)
        else:
            if future is not None:
                future.set_result(found)

    put = put_nowait

    def get(self, *_arguments, **_options):
        """End the thread that asks."""
        raise SystemExit


def adapt(module):
    """Fit `aiosqlite.Connection`."""
    plain = module.Connection.__init__

    def __init__(self, *arguments, **options):
        plain(self, *arguments, **options)
        self._tx = _Inline()

    module.Connection.__init__ = __init__
