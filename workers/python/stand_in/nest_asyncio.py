"""Stand-in for nest_asyncio: `asyncio.run` works anywhere already."""


def apply(_loop=None):
    """Do nothing."""
