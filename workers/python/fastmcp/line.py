"""The line of FastMCP that the server is written for: what clients see of it differs."""

from berth_runtime import state
from berth_runtime.packages import requirements


def is_third():
    """Return whether the project may be meant for FastMCP 3 or later."""
    session = state.session
    if session.fastmcp_line is None:
        text = bytes(session.source or b"").decode("utf-8", "replace")
        session.fastmcp_line = requirements.fastmcp_line(session.project, text)
    return session.fastmcp_line >= 3
