"""Parts that servers and clients of the SDK share."""
