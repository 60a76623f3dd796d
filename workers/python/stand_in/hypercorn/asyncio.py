"""Starting with asyncio."""

from berth_runtime.loading import applications


async def serve(app, _config=None, **_options):
    """Serve the MCP server behind an application."""
    await applications.serve_async(app)
