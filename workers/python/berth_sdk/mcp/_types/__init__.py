"""The messages of MCP revision 2025-11-25 as models. `mcp.types` gathers them."""
