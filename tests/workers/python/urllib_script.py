"""Run by the system's Python with the real sockets and by Berth's: both must print the same."""

import http.client
import http.cookiejar
import json
import urllib.error
import urllib.parse
import urllib.request


def run(base):
    """Return what `urllib.request` and `http.client` give for each case."""
    host = urllib.parse.urlsplit(base).netloc
    cases = {
        "get": lambda: _echo(urllib.request.urlopen(f"{base}/echo/a%20b?x=1")),
        "headers": lambda: _echo(_open(f"{base}/echo", headers={"X-A": "b", "User-Agent": "me"})),
        "post": lambda: _echo(_open(f"{base}/echo", data=b"a=1&b=2")),
        "put": lambda: _echo(_open(f"{base}/echo", data=b"{}", method="PUT")),
        "delete": lambda: _echo(_open(f"{base}/echo", method="DELETE")),
        "chunked": lambda: _echo(_open(f"{base}/echo", data=iter([b"ab", b"cde"]), method="POST")),
        "head": lambda: _open(f"{base}/latin", method="HEAD").read().decode(),
        "redirects": lambda: urllib.request.urlopen(f"{base}/redirect/2").url.replace(base, ""),
        "status": lambda: urllib.request.urlopen(f"{base}/status/404"),
        "latin": lambda: urllib.request.urlopen(f"{base}/latin").read().decode("latin-1"),
        "lines": lambda: [line.decode() for line in urllib.request.urlopen(f"{base}/lines")],
        "part": lambda: urllib.request.urlopen(f"{base}/lines").read(5).decode(),
        "cookies": lambda: _cookies(base),
        "type": lambda: urllib.request.urlopen(f"{base}/latin").headers.get_content_type(),
        "client": lambda: _client(host),
        "twice": lambda: _twice(host),
    }
    found = {}
    for name, case in cases.items():
        try:
            found[name] = case()
        except Exception as error:
            found[name] = [type(error).__name__, str(error).replace(base, "")]
    return found


def _open(url, **options):
    return urllib.request.urlopen(urllib.request.Request(url, **options), timeout=20)


def _echo(response):
    told = json.loads(response.read())
    skipped = ("host", "connection", "transfer-encoding", "content-length", "user-agent")
    pairs = told["headers"].items() if isinstance(told["headers"], dict) else told["headers"]
    told["headers"] = sorted([k.lower(), v] for k, v in pairs if k.lower() not in skipped)
    return [response.status, response.reason, told]


def _cookies(base):
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.open(f"{base}/cookies").read()
    return sorted(cookie.name for cookie in jar)


def _client(host):
    connection = http.client.HTTPConnection(host, timeout=20)
    connection.putrequest("POST", "/echo", skip_accept_encoding=True)
    connection.putheader("Content-Length", "3")
    connection.endheaders()
    connection.send(b"abc")
    return _echo(connection.getresponse())


def _twice(host):
    connection = http.client.HTTPConnection(host)
    found = []
    for path in ("/status/200", "/empty"):
        connection.request("GET", path)
        response = connection.getresponse()
        found.append([response.status, response.read().decode()])
    connection.close()
    return found
