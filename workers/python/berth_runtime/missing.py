"""What to say about modules that cannot be had."""

import sys

_HINTS = {
    "httpx": "not available yet: use requests",
    "aiohttp": "not available yet: use requests",
}
_NATIVE = {
    "numpy", "pandas", "scipy", "matplotlib", "PIL", "cv2", "torch", "tensorflow", "sklearn",
    "lxml", "cryptography", "orjson", "ujson", "psycopg2", "psycopg", "pymongo", "grpc", "uvloop",
    "greenlet", "gevent", "zmq", "pyarrow", "polars", "duckdb", "tiktoken", "tokenizers",
    "pydantic_core", "rpds", "regex", "bcrypt", "nacl", "lz4", "zstandard", "brotli", "msgpack",
    "pyodbc", "MySQLdb", "asyncpg", "cffi", "psutil", "numba", "h5py", "shapely", "pyproj",
    "transformers", "faiss", "onnxruntime", "pynput", "pyautogui", "win32api", "fitz",
}  # fmt: skip


def is_native(name):
    """Return whether a package is known to need compiled code."""
    return name in _NATIVE


def hint_for(name):
    """Return what to do about a module that is not there."""
    if name in _HINTS:
        return _HINTS[name]
    if name in _NATIVE:
        return "it needs compiled code, which Berth does not run"
    return "Berth has Python's standard library, requests and the repository's own modules"


def explain(name):
    """Raise ModuleNotFoundError with a hint when the server itself imports the module."""
    if not _asked_by_server():
        return
    raise ModuleNotFoundError(f"No module named {name!r} ({hint_for(name)})", name=name)


def _asked_by_server():
    """Return whether the nearest frame outside the import system is the server's."""
    from .imports import inside

    frame = sys._getframe(2)
    while frame is not None:
        filename = frame.f_code.co_filename
        if "importlib" not in filename and "berth_runtime" not in filename:
            return inside(filename)
        frame = frame.f_back
    return False
