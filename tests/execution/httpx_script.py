"""Run by the system's Python with the real sockets and by Berth's: both must give the same."""

import asyncio
import json

import httpx


def run(base):
    """Return what `httpx` gives for each case, synchronous and asynchronous."""
    cases = {
        "get": lambda: _echo(httpx.get(f"{base}/echo/a b?x=1", params={"q": ["ä", "2"]})),
        "post json": lambda: _echo(httpx.post(f"{base}/echo", json={"a": [1, None]})),
        "post form": lambda: _echo(httpx.post(f"{base}/echo", data={"a": "1", "b": "é&"})),
        "post bytes": lambda: _echo(httpx.post(f"{base}/echo", content="é".encode())),
        "put empty": lambda: _echo(httpx.put(f"{base}/echo")),
        "delete": lambda: _echo(httpx.delete(f"{base}/echo", headers={"X-A": "b"})),
        "files": lambda: _files(base),
        "head": lambda: [httpx.head(f"{base}/echo").status_code, httpx.head(f"{base}/echo").text],
        "redirect kept": lambda: httpx.get(f"{base}/redirect/3").status_code,
        "redirects": lambda: _redirects(base),
        "post becomes get": lambda: _echo(
            httpx.post(f"{base}/redirect/1", content="x", follow_redirects=True)
        ),
        "too many": lambda: httpx.get(f"{base}/redirect/40", follow_redirects=True),
        "cookies": lambda: _cookies(base),
        "gzip": lambda: _gzip(base),
        "lines": lambda: _lines(base),
        "latin": lambda: httpx.get(f"{base}/latin").text,
        "auth": lambda: httpx.get(f"{base}/auth", auth=("me", "secret")).text,
        "auth in address": lambda: (
            httpx.get(f"{base.replace('http://', 'http://me:secret@')}/auth").text
        ),
        "not authorised": lambda: httpx.get(f"{base}/auth").headers["www-authenticate"],
        "raise_for_status": lambda: httpx.get(f"{base}/status/404").raise_for_status(),
        "server error": lambda: [
            httpx.get(f"{base}/status/503").reason_phrase,
            httpx.get(f"{base}/status/503").is_server_error,
        ],
        "version": lambda: httpx.get(f"{base}/echo").http_version,
        "empty": lambda: httpx.get(f"{base}/empty").text,
        "no json": lambda: httpx.get(f"{base}/lines").json(),
        "base and params": lambda: _base(base),
        "hooks": lambda: _hooks(base),
        "mock": lambda: _mock(),
        "transport": lambda: httpx.Client(transport=httpx.HTTPTransport(retries=1)).get(
            f"{base}/lines"
        ).text,
        "no scheme": lambda: httpx.get("example.com"),
        "other scheme": lambda: httpx.get("ftp://example.com/"),
        "refused": lambda: httpx.get("http://127.0.0.1:9/", timeout=5),
        "closed": lambda: _closed(base),
        "async": lambda: asyncio.run(_asynchronous(base)),
        "async lines": lambda: asyncio.run(_async_lines(base)),
        "async refused": lambda: asyncio.run(_async_refused()),
    }
    return {name: _outcome(case) for name, case in cases.items()}


def _outcome(case):
    try:
        value = case()
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        return {"raised": kinds, "request": str(getattr(error, "request", None) is not None)}
    return json.loads(json.dumps(value, default=repr))


def _echo(response):
    return [response.status_code, response.reason_phrase, response.json(), response.encoding]


def _files(base):
    files = {"f": ("a.txt", b"content", "text/plain")}
    echo = httpx.post(f"{base}/echo", data={"x": "1"}, files=files).json()
    return echo["body"]


def _redirects(base):
    response = httpx.get(f"{base}/redirect/3", follow_redirects=True)
    return [response.url.path, [old.status_code for old in response.history]]


def _cookies(base):
    with httpx.Client() as client:
        client.get(f"{base}/cookies")
        return [sorted(client.cookies.keys()), client.get(f"{base}/echo").json()["headers"]]


def _gzip(base):
    response = httpx.get(f"{base}/gzip")
    return [len(response.content), response.text[:12], response.headers["content-encoding"]]


def _lines(base):
    with httpx.stream("GET", f"{base}/lines") as response:
        return [list(response.iter_lines()), response.is_closed]


def _base(base):
    client = httpx.Client(base_url=base, params={"k": "v"}, headers={"X-One": "1"})
    return _echo(client.get("/echo/x", params={"l": "w"}))


def _hooks(base):
    seen = []
    hooks = {"request": [lambda r: seen.append(r.method)], "response": [lambda r: seen.append(200)]}
    httpx.Client(event_hooks=hooks).get(f"{base}/echo")
    return seen


def _mock():
    transport = httpx.MockTransport(lambda request: httpx.Response(418, json={"a": 1}))
    return httpx.Client(transport=transport).get("https://example.com/").json()


def _closed(base):
    client = httpx.Client()
    client.close()
    return client.get(f"{base}/echo")


async def _asynchronous(base):
    async def parts():
        yield b"one"
        yield b"two"

    async with httpx.AsyncClient(base_url=base, timeout=30) as client:
        answers = await asyncio.gather(*(client.get(f"/echo/{n}") for n in range(4)))
        posted = await client.post("/echo", content=parts())
        return [[answer.json()["path"] for answer in answers], posted.json()["body"]]


async def _async_lines(base):
    async with httpx.AsyncClient() as client:
        async with client.stream("GET", f"{base}/lines") as response:
            return [line async for line in response.aiter_lines()]


async def _async_refused():
    async with httpx.AsyncClient() as client:
        await client.get("http://127.0.0.1:9/")
