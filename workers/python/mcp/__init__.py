"""The official Python SDK's names, served by Berth. Only the server side is here."""

from .shared.exceptions import McpError, UrlElicitationRequiredError  # noqa: F401
from .types import *  # noqa: F403 - the SDK offers its types here too

__version__ = "1.29.0"
