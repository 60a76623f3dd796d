"""A base for handlers of what a server tells."""


class MessageHandler:
    """Has a method for each kind of message; those that a subclass leaves out do nothing."""

    async def on_message(self, message):
        """Called for every message."""

    async def on_notification(self, message):
        """Called for every notification."""

    async def on_tool_list_changed(self, message):
        """Called when the tools have changed."""

    async def on_resource_list_changed(self, message):
        """Called when the resources have changed."""

    async def on_prompt_list_changed(self, message):
        """Called when the prompts have changed."""

    async def on_resource_updated(self, message):
        """Called when a resource has changed."""

    async def on_progress(self, message):
        """Called with the progress of a request."""

    async def on_logging_message(self, message):
        """Called with a log message."""

    async def on_cancelled(self, message):
        """Called when the server has given up a request."""
