"""Run by the system's Python with the real sockets and by Berth's: both must print the same."""

import io
import json

import requests
import urllib3


def run(base):
    """Return what `requests` gives for each case."""
    cases = {
        "get": lambda: _echo(requests.get(f"{base}/echo/a b?x=1", params={"q": ["ä", "2"]})),
        "post json": lambda: _echo(requests.post(f"{base}/echo", json={"a": [1, None]})),
        "post form": lambda: _echo(requests.post(f"{base}/echo", data={"a": "1", "b": "é&"})),
        "post text": lambda: _echo(requests.post(f"{base}/echo", data="é".encode())),
        "post file object": lambda: _echo(requests.post(f"{base}/echo", data=io.BytesIO(b"abc"))),
        "put empty": lambda: _echo(requests.put(f"{base}/echo")),
        "delete": lambda: _echo(requests.delete(f"{base}/echo", headers={"X-A": "b"})),
        "files": lambda: _files(base),
        "head": lambda: _head(base),
        "redirects": lambda: _redirects(base),
        "post becomes get": lambda: _echo(requests.post(f"{base}/redirect/1", data="x")),
        "post kept": lambda: _echo(requests.post(f"{base}/redirect/1?status=307", data="x")),
        "no redirects": lambda: (
            requests.get(f"{base}/redirect/3", allow_redirects=False).status_code
        ),
        "too many": lambda: requests.get(f"{base}/redirect/40").status_code,
        "cookies": lambda: _cookies(base),
        "gzip": lambda: _gzip(base),
        "lines": lambda: list(requests.get(f"{base}/lines", stream=True).iter_lines()),
        "chunks": lambda: list(requests.get(f"{base}/lines", stream=True).iter_content(7)),
        "raw": lambda: requests.get(f"{base}/lines", stream=True).raw.read(5),
        "latin": lambda: requests.get(f"{base}/latin").text,
        "auth": lambda: requests.get(f"{base}/auth", auth=("me", "secret")).text,
        "auth in address": lambda: (
            requests.get(f"{base.replace('http://', 'http://me:secret@')}/auth").text
        ),
        "not authorised": lambda: requests.get(f"{base}/auth").headers["www-authenticate"],
        "raise_for_status": lambda: requests.get(f"{base}/status/404").raise_for_status(),
        "server error": lambda: requests.get(f"{base}/status/503").reason,
        "empty": lambda: [requests.get(f"{base}/empty").text, requests.get(f"{base}/empty").ok],
        "no json": lambda: requests.get(f"{base}/lines").json(),
        "hooks": lambda: _hooks(base),
        "no scheme": lambda: requests.get("example.com"),
        "no host": lambda: requests.get("http://"),
        "other scheme": lambda: requests.get("ftp://example.com/"),
        "refused": lambda: requests.get("http://127.0.0.1:9/", timeout=2),
        "bad timeout": lambda: requests.get(f"{base}/echo", timeout=(1, 2, 3)),
        "zero timeout": lambda: requests.get(f"{base}/echo", timeout=0),
        "retries": lambda: _retries(base),
        "prepared": lambda: _prepared(base),
        "urllib3": lambda: _urllib3(base),
    }
    return {name: _outcome(case) for name, case in cases.items()}


def _outcome(case):
    try:
        value = case()
    except Exception as error:
        return {"raised": [kind.__name__ for kind in type(error).__mro__]}
    return json.loads(json.dumps(value, default=repr))


def _echo(response):
    return [response.status_code, response.reason, response.json(), response.encoding]


def _files(base):
    files = {"f": ("a.txt", io.BytesIO(b"abc"), "text/plain"), "g": b"raw"}
    shown = _echo(requests.post(f"{base}/echo", files=files, data={"k": "v"}))
    shown[2]["headers"]["content-type"] = shown[2]["headers"]["content-type"].split(";")[0]
    return shown


def _head(base):
    response = requests.head(f"{base}/status/200")
    return [response.status_code, response.text, response.reason]


def _redirects(base):
    response = requests.get(f"{base}/redirect/3")
    return [
        [item.status_code for item in response.history],
        response.url.replace(base, ""),
        response.is_redirect,
    ]


def _cookies(base):
    session = requests.Session()
    session.headers["X-Session"] = "s"
    session.params = {"p": "1"}
    first = session.get(f"{base}/cookies")
    second = session.get(f"{base}/echo")
    return [sorted(first.cookies.items()), sorted(session.cookies.items()), _echo(second)]


def _gzip(base):
    response = requests.get(f"{base}/gzip")
    raw = requests.get(f"{base}/gzip", stream=True).raw.read(2)
    return [len(response.content), response.text[:9], response.headers["Content-Encoding"], raw]


def _hooks(base):
    seen = []
    hooks = {"response": lambda response, **_: seen.append(response.status_code)}
    requests.get(f"{base}/redirect/1", hooks=hooks)
    return seen


def _retries(base):
    session = requests.Session()
    retry = urllib3.Retry(total=2, backoff_factor=0, status_forcelist=[503])
    session.mount("http://", requests.adapters.HTTPAdapter(max_retries=retry))
    return session.get(f"{base}/status/503")


def _prepared(base):
    session = requests.Session()
    prepared = session.prepare_request(requests.Request("PATCH", f"{base}/echo", data="x"))
    prepared.headers["X-Late"] = "1"
    return _echo(session.send(prepared, timeout=(3.5, 5)))


def _urllib3(base):
    response = urllib3.PoolManager().request("GET", f"{base}/redirect/1")
    return [response.status, response.json()["method"], response.geturl()]
