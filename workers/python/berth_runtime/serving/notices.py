"""Notifications to the client. They take effect at once, whether awaited or not."""

from .. import state


class Done:
    """Returned by calls that have taken effect already; may be awaited or left alone.

    So `ctx.info("…")` works in plain functions and `await ctx.info("…")` in asynchronous ones.
    """

    def __await__(self):
        return None
        yield


class Notices:
    """Sends each kind of notification."""

    def send_log_message(self, level, data, logger=None, related_request_id=None):
        """Send a log message; raises ValueError for a level that MCP does not have."""
        from berth_sdk.mcp.types import LoggingMessageNotificationParams

        from .content import wire

        params = LoggingMessageNotificationParams(level=level, data=data, logger=logger)
        return _sent("message", wire(params))

    def send_progress_notification(
        self, progress_token, progress, total=None, message=None, related_request_id=None
    ):
        """Send the progress of a request."""
        params = {"progressToken": progress_token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        return _sent("progress", params)

    def send_resource_updated(self, uri):
        """Tell the client that a resource has changed."""
        return _sent("resources/updated", {"uri": str(uri)})

    def send_tool_list_changed(self):
        """Tell the client that the list of tools has changed."""
        return _sent("tools/list_changed", {})

    def send_resource_list_changed(self):
        """Tell the client that the list of resources has changed."""
        return _sent("resources/list_changed", {})

    def send_prompt_list_changed(self):
        """Tell the client that the list of prompts has changed."""
        return _sent("prompts/list_changed", {})

    def send_elicit_complete(self, elicitation_id, related_request_id=None):
        """Tell the client that the user has finished at the address of an elicitation."""
        return _sent("elicitation/complete", {"elicitationId": elicitation_id})


def _sent(name, params):
    state.session.notify(f"notifications/{name}", params)
    return Done()
