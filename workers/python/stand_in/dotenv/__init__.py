"""Stand-in for python-dotenv: the environment is given to the session, there are no files."""

import os


def load_dotenv(*_args, **_options):
    """Do nothing: the session's environment is already in `os.environ`."""
    return False


def find_dotenv(*_args, **_options):
    """Return that there is no file."""
    return ""


def dotenv_values(*_args, **_options):
    """Return no values."""
    return {}


def get_key(_path, key, *_args, **_options):
    """Return a variable of the session's environment."""
    return os.environ.get(key)
