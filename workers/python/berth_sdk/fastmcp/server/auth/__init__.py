"""Sign-in, which Berth does itself."""
