"""Run by the system's Python with the real sockets and by Berth's: both must give the same."""

import asyncio
import json

import aiohttp


def run(base):
    """Return what `aiohttp` gives for each case."""
    return asyncio.run(_run(base))


async def _run(base):
    cases = {
        "get": lambda s: _echo(s.get(f"{base}/echo/a b", params={"q": "ä"})),
        "post json": lambda s: _echo(s.post(f"{base}/echo", json={"a": [1, None]})),
        "post form": lambda s: _echo(s.post(f"{base}/echo", data={"a": "1", "b": "é&"})),
        "post bytes": lambda s: _echo(s.post(f"{base}/echo", data="é".encode())),
        "post parts": lambda s: _body(s.post(f"{base}/echo", data=_parts())),
        "put empty": lambda s: _body(s.put(f"{base}/echo")),
        "delete": lambda s: _body(s.delete(f"{base}/echo", headers={"X-A": "b"})),
        "head": lambda s: _status(s.head(f"{base}/echo")),
        "redirects": lambda s: _redirects(s, base),
        "no redirects": lambda s: _status(s.get(f"{base}/redirect/3", allow_redirects=False)),
        "post becomes get": lambda s: _echo(s.post(f"{base}/redirect/1", data="x")),
        "too many": lambda s: _status(s.get(f"{base}/redirect/40")),
        "cookies": lambda s: _cookies(s, base),
        "gzip": lambda s: _length(s.get(f"{base}/gzip")),
        "lines": lambda s: _lines(s.get(f"{base}/lines")),
        "latin": lambda s: _text(s.get(f"{base}/latin")),
        "auth": lambda s: _text(s.get(f"{base}/auth", auth=aiohttp.BasicAuth("me", "secret"))),
        "raise_for_status": lambda s: _status(s.get(f"{base}/status/404", raise_for_status=True)),
        "server error": lambda s: _status(s.get(f"{base}/status/503")),
        "empty": lambda s: _text(s.get(f"{base}/empty")),
        "no json": lambda s: _json(s.get(f"{base}/lines")),
        "many": lambda s: _many(s, base),
        "other scheme": lambda s: _status(s.get("ftp://example.com/")),
        "no scheme": lambda s: _status(s.get("example.com")),
    }
    found = {}
    for name, case in cases.items():
        async with aiohttp.ClientSession() as session:
            found[name] = await _outcome(case(session))
    return found


async def _outcome(case):
    try:
        value = await case
    except Exception as error:
        return {"raised": [kind.__name__ for kind in type(error).__mro__]}
    return json.loads(json.dumps(value, default=repr))


async def _echo(request):
    async with request as response:
        return [response.status, response.reason, await response.json()]


async def _body(request):
    async with request as response:
        return (await response.json())["body"]


async def _status(request):
    async with request as response:
        return [response.status, response.reason, await response.text()]


async def _text(request):
    async with request as response:
        return await response.text()


async def _json(request):
    async with request as response:
        return await response.json()


async def _length(request):
    async with request as response:
        return [len(await response.read()), response.headers["content-encoding"]]


async def _lines(request):
    async with request as response:
        return [line.decode() async for line in response.content]


async def _redirects(session, base):
    async with session.get(f"{base}/redirect/3") as response:
        return [response.url.path, [old.status for old in response.history]]


async def _cookies(session, base):
    async with session.get(f"{base}/cookies"):
        pass
    async with session.get(f"{base}/echo") as response:
        return (await response.json())["headers"].get("cookie")


async def _many(session, base):
    async def one(n):
        async with session.get(f"{base}/echo/{n}") as response:
            return (await response.json())["path"]

    return await asyncio.gather(*(one(n) for n in range(4)))


async def _parts():
    yield b"one"
    yield b"two"
