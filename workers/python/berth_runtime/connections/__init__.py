"""Connections of clients inside the interpreter: to a server object, or to one over HTTP.

A connection has `request(method, params, seconds)`, which returns a result or raises McpError,
`notify(method, params)` and `close()`. What the other side sends goes to its `peer`.
"""
