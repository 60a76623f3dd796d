"""Addresses: text that is checked, with its parts as attributes."""

import urllib.parse

from ..errors import Invalid, ValidationError, invalid
from .scalars import LAX, Node

_WEB = ("http", "https", "ws", "wss", "ftp")
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}


class Url(str):
    """An address. It is text here; the parts are attributes."""

    schemes = None
    longest = None
    __slots__ = ()

    @classmethod
    def __berth_node__(cls):
        return _UrlNode(cls)

    def __new__(cls, url=""):
        return super().__new__(cls, cls.check(url))

    @classmethod
    def check(cls, url):
        """Return the address in normal form; raises `ValidationError`."""
        try:
            return _UrlNode(cls).validate(url, LAX)
        except Invalid as error:
            raise ValidationError(cls.__name__, error.lines) from None

    @property
    def scheme(self):
        """The part before the colon."""
        return urllib.parse.urlsplit(self).scheme

    @property
    def host(self):
        """The host, or None."""
        return urllib.parse.urlsplit(self).hostname

    @property
    def port(self):
        """The port, or None."""
        return urllib.parse.urlsplit(self).port

    @property
    def path(self):
        """The path, or None."""
        return urllib.parse.urlsplit(self).path or None

    @property
    def query(self):
        """The query, or None."""
        return urllib.parse.urlsplit(self).query or None


class HttpUrl(Url):
    """An http or https address."""

    schemes = ("http", "https")
    longest = 2083
    __slots__ = ()


class _UrlNode(Node):
    tag = "url"

    def __init__(self, kind):
        self.kind = kind

    def validate(self, value, mode):
        if isinstance(value, self.kind):
            return value
        if not isinstance(value, str):
            raise invalid("url_type", "URL input should be a string or URL", value)
        text = normal_url(value.strip(), value)
        schemes = self.kind.schemes
        scheme = text.partition(":")[0]
        if schemes and scheme not in schemes:
            expected = "' or '".join(schemes)
            message = f"URL scheme should be '{expected}'"
            raise invalid("url_scheme", message, value, expected_schemes=f"'{expected}'")
        longest = self.kind.longest
        if longest and len(text) > longest:
            message = f"URL should have at most {longest} characters"
            raise invalid("url_too_long", message, value, max_length=longest)
        return str.__new__(self.kind, text)

    def schema(self, generator):
        shape = {"type": "string", "format": "uri", "minLength": 1}
        return {**shape, "maxLength": self.kind.longest} if self.kind.longest else shape


def normal_url(text, given=None):
    """Return an address in normal form; raises Invalid."""
    if not text:
        raise _fault("input is empty", given)
    scheme, colon, rest = text.partition(":")
    if not colon or not scheme.isascii() or not scheme[:1].isalpha():
        raise _fault("relative URL without a base", given)
    scheme = scheme.lower()
    if scheme not in _WEB:
        return f"{scheme}:{urllib.parse.quote(rest, safe=_SAFE)}"
    try:
        parts = urllib.parse.urlsplit(f"{scheme}://{rest.lstrip('/')}")
        port = parts.port
    except ValueError:
        raise _fault("invalid port number", given) from None
    host = parts.hostname or ""
    if not host:
        raise _fault("empty host", given)
    if any(character in " <>^|%" for character in host):
        raise _fault("invalid international domain name", given)
    try:
        host = host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError:
        raise _fault("invalid international domain name", given) from None
    where = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        where += f":{port}"
    if "@" in parts.netloc:
        where = f"{parts.netloc.rpartition('@')[0]}@{where}"
    path = urllib.parse.quote(parts.path or "/", safe=_SAFE)
    query = urllib.parse.quote(parts.query, safe=_SAFE)
    fragment = urllib.parse.quote(parts.fragment, safe=_SAFE)
    return urllib.parse.urlunsplit((scheme, where, path, query, fragment))


_SAFE = "!$%&'()*+,/:;=?@[]~#{}|\\^`"


def _fault(reason, value):
    text = f"Input should be a valid URL, {reason}"
    return invalid("url_parsing", text, value, error=reason)
