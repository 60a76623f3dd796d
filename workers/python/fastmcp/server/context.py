"""The context of a request in FastMCP 2."""

from berth_runtime.serving.context import BaseContext


class Context(BaseContext):
    """What a handler may ask for: logging, progress, state, the request and the server."""

    def __init__(self, fastmcp=None, **options):
        super().__init__(fastmcp, **options)
        self._state = {}

    def log(self, message, level="info", logger_name=None, extra=None):
        """Send a log message to the client."""
        data = {"msg": message, "extra": extra}
        return self.session.send_log_message(level or "info", data, logger_name)

    def debug(self, message, logger_name=None, extra=None):
        """Send a debug message."""
        return self.log(message, "debug", logger_name, extra)

    def info(self, message, logger_name=None, extra=None):
        """Send an informational message."""
        return self.log(message, "info", logger_name, extra)

    def warning(self, message, logger_name=None, extra=None):
        """Send a warning."""
        return self.log(message, "warning", logger_name, extra)

    def error(self, message, logger_name=None, extra=None):
        """Send an error message."""
        return self.log(message, "error", logger_name, extra)

    def set_state(self, key, value):
        """Keep a value for the rest of the request."""
        self._state[key] = value

    def get_state(self, key):
        """Return a value kept before, or None."""
        return self._state.get(key)

    @property
    def session_id(self):
        """Refuse: the session's id stays with the host."""
        raise RuntimeError("session_id is not available")

    async def list_resources(self):
        """Return the server's resources."""
        return list((await self.fastmcp.get_resources()).values())

    async def list_prompts(self):
        """Return the server's prompts."""
        return list((await self.fastmcp.get_prompts()).values())

    async def sample(self, *arguments, **options):
        """Ask the client's model."""
        return await self.session.create_message(*arguments, **options)

    async def list_roots(self):
        """Ask for the client's roots."""
        return await self.session.list_roots()

    def send_tool_list_changed(self):
        """Tell the client that the list of tools has changed."""
        return self.session.send_tool_list_changed()

    def send_resource_list_changed(self):
        """Tell the client that the list of resources has changed."""
        return self.session.send_resource_list_changed()

    def send_prompt_list_changed(self):
        """Tell the client that the list of prompts has changed."""
        return self.session.send_prompt_list_changed()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None
