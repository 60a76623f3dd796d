"""Stand-in for hypercorn: serving the application of an MCP server serves that server."""
