"""What both SDK modules (`mcp.server.fastmcp` and `fastmcp`) are built on."""
