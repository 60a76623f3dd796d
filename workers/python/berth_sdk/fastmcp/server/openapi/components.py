"""What is asked of an API over HTTP: tools, resources, templates."""

import json
import re
import urllib.parse

from berth_sdk.mcp.server.lowlevel.helper_types import ReadResourceContents
from berth_sdk.versions import current

from ...resources.resource import Resource, ResourceTemplate
from ...tools.tool import Tool, ToolResult
from .schemas import arguments_of, output_of, plain


class _Asking:
    """Sends the requests of one operation."""

    def __init__(self, client, route, timeout):
        self.client = client
        self.route = route
        self.timeout = timeout

    async def ask(self, path, **parts):
        """Return the response; raises ValueError with what went wrong."""
        import httpx

        base = str(getattr(self.client, "base_url", "") or "http://localhost")
        url = urllib.parse.urljoin(base.rstrip("/") + "/", path.lstrip("/"))
        if self.timeout is not None:
            parts["timeout"] = self.timeout
        try:
            response = await self.client.request(self.route.method, url, **parts)
            response.raise_for_status()
            return response
        except httpx.HTTPStatusError as error:
            answer = error.response
            text = f"HTTP error {answer.status_code}: {answer.reason_phrase}"
            try:
                text += f" - {answer.json()}"
            except ValueError:
                text += f" - {answer.text}" if answer.text else ""
            raise ValueError(text) from error
        except httpx.RequestError as error:
            raise ValueError(f"Request error: {error}") from error


class OpenAPITool(Tool):
    """A tool that is an operation."""

    is_of_api = True

    def __init__(self, client, route, name, description, tags=(), timeout=None, **details):
        schema, self._places = arguments_of(route)
        if not current("fastmcp").keeps_openapi:
            schema = plain(schema)
        self._describe(
            name, schema, output_of(route), description=description, tags=tags, **details
        )
        self._asking = _Asking(client, route, timeout)

    async def run(self, arguments):
        """Perform the operation; JSON is structured content, all else text."""
        parts = {"path": {}, "query": {}, "header": {}, "cookie": {}, "body": {}}
        for name, value in arguments.items():
            if value is not None and name in self._places:
                place, named = self._places[name]
                parts[place][named] = value
        path = self._asking.route.path
        for name, value in parts["path"].items():
            path = path.replace(f"{{{name}}}", urllib.parse.quote(str(value), safe=""))
        response = await self._asking.ask(
            path,
            params=parts["query"] or None,
            headers={name: str(value) for name, value in parts["header"].items()} or None,
            **self._body(parts["body"]),
        )
        try:
            result = response.json()
        except ValueError:
            return ToolResult(response.text)
        wrap = (self.output_schema or {}).get("x-fastmcp-wrap-result")
        return ToolResult(None, {"result": result} if wrap or type(result) is not dict else result)

    def _body(self, members):
        if not members:
            return {}
        contents = self._asking.route.request_body.content_schema
        schema = next(iter(contents.values()), {})
        single = schema.get("type") != "object" and len(members) == 1 and "allOf" not in schema
        body = next(iter(members.values())) if single else members
        kind = next(iter(contents), "")
        if kind == "application/x-www-form-urlencoded":
            return {"data": body}
        return {"json": body} if isinstance(body, (dict, list)) else {"content": str(body)}


class OpenAPIResource(Resource):
    """A resource that is an operation."""

    def __init__(self, client, route, uri, name, description, tags=(), timeout=None):
        super().__init__(
            uri, None, name, description=description, mime_type="application/json", tags=tags
        )
        self._asking = _Asking(client, route, timeout)

    async def read(self):
        """Perform the operation."""
        return _contents(await self._asking.ask(self._asking.route.path))


class OpenAPIResourceTemplate(ResourceTemplate):
    """A template that is an operation with parameters in its path."""

    def __init__(self, client, route, uri_template, name, description, tags=(), timeout=None):
        kind = current("fastmcp").api_template_type
        super().__init__(
            uri_template, _nothing, name, description=description, mime_type=kind, tags=tags
        )
        self._asking = _Asking(client, route, timeout)

    async def read(self, arguments):
        """Perform the operation."""
        path = re.sub(
            r"{(\w+)}",
            lambda found: urllib.parse.quote(str(arguments.get(found[1], found[0])), safe=""),
            self._asking.route.path,
        )
        found = _contents(await self._asking.ask(path))
        return ReadResourceContents(found, "application/json")


def _nothing():
    """Stands for the function that a template of an API does not have."""


def _contents(response):
    kind = response.headers.get("content-type", "").lower()
    if "application/json" in kind:
        return json.dumps(response.json())
    return response.text if "text/" in kind or "application/xml" in kind else response.content
