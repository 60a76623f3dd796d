"""What others have added to FastMCP."""
