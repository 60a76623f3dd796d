"""Source as text, the way the scan reads it: what it cannot read does not run.

`workers/analysis/python/decode.ts` is the same in the scan.
"""

import re

_BOM = b"\xef\xbb\xbf"
_COMMENT = re.compile(rb"[ \t\f]*(?:#(.*))?\Z", re.DOTALL)
_COOKIE = re.compile(rb"coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
_UTF_8 = {"utf-8", "utf8"}
_ASCII = {"ascii", "us-ascii"}
_LATIN_1 = re.compile(r"latin1|iso8859-1|(latin-1|iso-8859-1|iso-latin-1)(-.*)?")


def _cookie(body):
    for line in re.split(rb"\r\n?|\n", body, maxsplit=2)[:2]:
        comment = _COMMENT.match(line)
        if comment is None:
            return None
        found = _COOKIE.search(comment[1] or b"")
        if found:
            return found[1].decode("ascii")
    return None


def _encoding(cookie):
    name = cookie.lower().replace("_", "-")
    if name in _UTF_8 or name.startswith("utf-8-"):
        return "utf-8"
    if name in _ASCII:
        return "ascii"
    return "latin-1" if _LATIN_1.fullmatch(name) else None


def text_of(source, file):
    """Return the text of a module; raises SyntaxError where the scan reads none.

    Line ends are line feeds, as the tokenizer makes them.
    """
    body = source.removeprefix(_BOM)
    cookie = _cookie(body)
    encoding = "utf-8" if cookie is None else _encoding(cookie)
    if encoding is None or (len(body) < len(source) and encoding != "utf-8"):
        raise SyntaxError(
            f"The encoding {cookie} is not supported. Save the file as UTF-8 ({file})"
        )
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        raise SyntaxError(f"The file is not valid {encoding} ({file})") from error
    return lines_of(text)


def lines_of(text):
    """Return a text with the line ends that the tokenizer makes."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
