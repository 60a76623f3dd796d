"""python-dotenv: every `.env` is empty. Variables come from the session's own configuration.

One that a repository brings holds its author's placeholders, which would stand for keys that the
server's user is to give.
"""

import contextlib
import io


def adapt(module):
    """Fit what reads files; text that is given as a stream is read as ever."""
    import dotenv.main

    @contextlib.contextmanager
    def _get_stream(self):
        yield self.stream if self.stream is not None else io.StringIO("")

    def find_dotenv(filename=".env", raise_error_if_not_found=False, usecwd=False):
        """Return that there is no file."""
        if raise_error_if_not_found:
            raise OSError("File not found")
        return ""

    dotenv.main.DotEnv._get_stream = _get_stream
    dotenv.main.find_dotenv = module.find_dotenv = find_dotenv
