"""pydantic-settings: variables that a settings class asks for and does not get are remembered."""

import functools

from ... import state


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
    between = kind.model_config.get("env_nested_delimiter")
    for item in listed:
        path = [str(part) for part in item["loc"]] if item["type"] == "missing" else []
        if not path or not state.session.loading or (len(path) > 1 and not between):
            continue
        first = prefix + path[0] if path[0] in kind.model_fields else path[0]
        name = (between or "").join([first, *path[1:]]).upper()
        if name not in state.session.missed:
            state.session.missed.append(name)
