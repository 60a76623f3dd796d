"""The official SDK, as Berth serves it: the server side, and clients of servers in the program."""

from .shared.exceptions import McpError, UrlElicitationRequiredError  # noqa: F401
from .types import *  # noqa: F403 - the SDK offers its types here too
