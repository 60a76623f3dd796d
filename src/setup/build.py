"""Runs inside the interpreter when setup packs what sessions import from.

``/prepare/wheels`` holds the wheels, ``/prepare/python`` Berth's own modules. What this script
leaves under ``/prepared`` is written to the same path, without that prefix, in every session.
"""

import importlib.util
import io
import os
import posixpath
import sys
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

SITE = "/lib/berth.zip"
FOLDER = "/lib/python%d.%d/site-packages" % sys.version_info[:2]
# A package that reads files beside itself by path: from a zip it would copy them to a temporary
# folder, which a snapshot does not keep.
UNPACKED = ("certifi/",)


def _sources():
    """Every Python file: (path below sys.path, bytes)."""
    for name in sorted(os.listdir("/prepare/wheels")):
        with zipfile.ZipFile("/prepare/wheels/" + name) as wheel:
            for info in wheel.infolist():
                path = posixpath.normpath(info.filename)
                if path.startswith(("/", "..")) or info.is_dir():
                    continue
                yield path, wheel.read(info)
    for folder, _, names in sorted(os.walk("/prepare/python")):
        for name in sorted(names):
            path = posixpath.join(folder, name)
            with open(path, "rb") as file:
                yield posixpath.relpath(path, "/prepare/python"), file.read()


def _compiled(path, source):
    code = compile(source, posixpath.join(SITE, path), "exec", dont_inherit=True)
    # Not checked against the source: both come from the same archive.
    return _code_to_hash_pyc(code, importlib.util.source_hash(source), False)


def _write(path, data):
    os.makedirs(posixpath.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def _build():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as site:
        for path, data in _sources():
            if path.startswith(UNPACKED):
                _write(posixpath.join("/prepared" + FOLDER, path), data)
                continue
            if path.endswith((".py", "METADATA", "py.typed", ".json")):
                site.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
            if path.endswith(".py"):
                site.writestr(zipfile.ZipInfo(path + "c"), _compiled(path, data), zipfile.ZIP_DEFLATED)
    _write("/prepared" + SITE, packed.getvalue())


_build()
