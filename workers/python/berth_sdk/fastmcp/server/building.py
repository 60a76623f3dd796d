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


class Building:
    """Making a server of something else; mixed into the server class."""

    @classmethod
    def as_proxy(cls, backend, **settings):
        """Make a server in front of another one: a client, or whatever a client can be made of."""
        return proxy(backend, settings)

    @classmethod
    def from_openapi(cls, openapi_spec, client, **settings):
        """Make a server of an OpenAPI description; `client` is an httpx client of the API."""
        return of_openapi(openapi_spec, client, settings)

    @classmethod
    def from_fastapi(cls, app, name=None, **settings):
        """Make a server of a FastAPI application of this program."""
        return of_fastapi(app, name, settings)


def create_proxy(target, **settings):
    """Make a server in front of another one, as `FastMCP.as_proxy` does."""
    return proxy(target, settings)
