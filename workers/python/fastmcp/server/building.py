"""Servers made of something else: another server, an OpenAPI description, an application."""


def proxy(backend, settings):
    """Return a server in front of another one."""
    from ..client.client import Client
    from .proxy import FastMCPProxy, ProxyClient

    if isinstance(backend, Client) and backend.is_connected():
        return FastMCPProxy(client_factory=lambda: backend, **settings)
    client = backend if isinstance(backend, Client) else ProxyClient(backend)
    return FastMCPProxy(client_factory=client.new, **settings)


def of_openapi(description, client, settings):
    """Return a server whose tools are the operations of an API."""
    from .openapi.server import FastMCPOpenAPI

    return FastMCPOpenAPI(description, client, **settings)


def of_fastapi(app, name, settings):
    """Return a server whose tools are the operations of an application of this program."""
    import httpx

    options = {"base_url": "http://fastapi", **(settings.pop("httpx_client_kwargs", None) or {})}
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), **options)
    return of_openapi(app.openapi(), client, {"name": name or app.title, **settings})
