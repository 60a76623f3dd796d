"""The SDKs as servers see them: `mcp`, `mcp_types` and `fastmcp`, in the version that one asks for.

`mcp` and `fastmcp` in here are the code, common to all versions. `versions` has a folder for each
version: its names, and what differs in it. `facade` makes the modules that servers import.
"""
