"""Clients of other servers: a session with a server object, or with one over HTTP."""
