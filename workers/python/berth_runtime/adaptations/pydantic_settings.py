"""pydantic-settings: variables that a settings class asks for and does not get are remembered."""

import functools

from .. import state


def adapt(module):
    """Have `BaseSettings` note the names of what is missing before its error goes on."""
    plain = module.BaseSettings.__init__

    @functools.wraps(plain)
    def init(self, *arguments, **values):
        try:
            plain(self, *arguments, **values)
        except ValueError as error:
            _note(type(self), error)
            raise

    module.BaseSettings.__init__ = init


def _note(kind, error):
    listed = error.errors() if callable(getattr(error, "errors", None)) else ()
    prefix = kind.model_config.get("env_prefix") or ""
    for item in listed:
        name = item["loc"][0] if item["loc"] and item["type"] == "missing" else None
        if not isinstance(name, str) or not state.session.loading:
            continue
        name = (name if name not in kind.model_fields else prefix + name).upper()
        if name not in state.session.missed:
            state.session.missed.append(name)
