"""The official Python client, signing in by itself: all that an ordinary MCP client does when it is
answered 401, with the pages filled in by this script in place of a person.

Usage: mcp_sign_in.py ADDRESS EMAIL PASSWORD. Prints the tools' names and the claims' audience.
"""

import asyncio
import base64
import html
import json
import re
import sys
from urllib.parse import parse_qs, urljoin, urlparse

import httpx
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamablehttp_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

REDIRECT = "http://127.0.0.1:1/callback"
ADDRESS, EMAIL, PASSWORD = sys.argv[1:4]


class Memory(TokenStorage):
    """Keeps what the client learns."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def first_form(address: str, page: str) -> tuple[str, dict[str, str]]:
    """Where the first form of a page goes, and its hidden fields."""
    form = re.search(r"<form\b[\s\S]*?</form>", page)
    assert form is not None, page
    action = re.search(r'action="([^"]*)"', form[0])
    assert action is not None
    fields = {
        name: html.unescape(value)
        for name, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0])
    }
    return urljoin(address, html.unescape(action[1])), fields


class Person:
    """Signs in and allows access."""

    returned = ""

    async def open(self, authorization: str) -> None:
        async with httpx.AsyncClient() as browser:
            response = await browser.get(authorization)
            while not self.returned:
                if response.is_redirect:
                    target = urljoin(str(response.url), response.headers["location"])
                    if target.startswith(REDIRECT):
                        self.returned = target
                    else:
                        response = await browser.get(target)
                    continue
                action, fields = first_form(str(response.url), response.text)
                if 'name="password"' in response.text:
                    fields |= {"email": EMAIL, "password": PASSWORD}
                response = await browser.post(action, data=fields)
                assert response.status_code < 400, response.text

    async def code(self) -> tuple[str, str | None]:
        query = parse_qs(urlparse(self.returned).query)
        return query["code"][0], query.get("state", [None])[0]


async def main() -> None:
    """Signs in, calls, and prints what it saw."""
    memory, person = Memory(), Person()
    provider = OAuthClientProvider(
        server_url=ADDRESS,
        client_metadata=OAuthClientMetadata(
            client_name="A Python client",
            redirect_uris=[REDIRECT],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
        ),
        storage=memory,
        redirect_handler=person.open,
        callback_handler=person.code,
    )
    async with streamablehttp_client(ADDRESS, auth=provider) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = [tool.name for tool in (await session.list_tools()).tools]
    assert memory.tokens is not None
    body = memory.tokens.access_token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    print(json.dumps({"tools": tools, "aud": claims["aud"], "refresh": bool(memory.tokens.refresh_token)}))


asyncio.run(main())
