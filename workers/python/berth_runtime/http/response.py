"""A urllib3 response from the outcome that the host gave."""

import io
from http.client import HTTPMessage

from urllib3._collections import HTTPHeaderDict
from urllib3.response import HTTPResponse


class _Original:
    """What `requests` reads cookies from, and what says that the body has been read."""

    def __init__(self, headers, body):
        self.msg = HTTPMessage()
        for name, value in headers:
            self.msg.add_header(name, value)
        self._body = body

    def isclosed(self):
        """Return whether the body is closed."""
        return self._body.closed

    def close(self):
        """Close the body."""
        self._body.close()


def build_response(outcome, content, *, method, url, preload_content, decode_content):
    """Return the response; its body is decoded by urllib3 when it is read."""
    pairs = [(str(name), str(value)) for name, value in outcome["headers"]]
    headers = HTTPHeaderDict()
    for name, value in pairs:
        headers.add(name, value)
    body = io.BytesIO(content)
    return HTTPResponse(
        body=body,
        headers=headers,
        status=outcome["status"],
        version=11,
        version_string="HTTP/1.1",
        reason=outcome.get("reason") or "",
        preload_content=preload_content,
        decode_content=decode_content,
        original_response=_Original(pairs, body),
        enforce_content_length=False,
        request_method=method,
        request_url=url,
    )
