"""Exceptions of `curl_cffi.requests`: those of `requests`, with its names."""

from requests.exceptions import (
    ChunkedEncodingError,
    ConnectionError,
    ConnectTimeout,
    ContentDecodingError,
    HTTPError,
    InvalidURL,
    JSONDecodeError,
    ProxyError,
    ReadTimeout,
    RequestException,
    SSLError,
    Timeout,
    TooManyRedirects,
)

__all__ = [
    "CertificateVerifyError",
    "ChunkedEncodingError",
    "ConnectTimeout",
    "ConnectionError",
    "ContentDecodingError",
    "DNSError",
    "HTTPError",
    "IncompleteRead",
    "InvalidURL",
    "JSONDecodeError",
    "ProxyError",
    "ReadTimeout",
    "RequestException",
    "RequestsError",
    "SSLError",
    "Timeout",
    "TooManyRedirects",
]

RequestsError = RequestException
CertificateVerifyError = SSLError
DNSError = ConnectionError
IncompleteRead = ChunkedEncodingError
