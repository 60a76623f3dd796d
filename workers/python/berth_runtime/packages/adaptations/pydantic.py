"""pydantic: there are no plugins; looking for them among all packages takes long."""


def adapt(_module):
    """Let it know that it has looked."""
    from pydantic.plugin import _loader

    _loader._plugins = {}
