"""Compiling the sources of a package, so that sessions need not.

Runs in an interpreter that has no other purpose: no code of a package has run in it, and it meets
no other package.
"""

import importlib.util
import os
import sys
import warnings
from importlib._bootstrap_external import _code_to_hash_pyc


def compile_package(sources, place, output):
    """Write the bytecode of all sources below a folder to where it belongs below `output`.

    `place`: the folder in which sessions have the sources. What is no Python of this version is
    left out: sessions that import it say so.
    """
    warnings.simplefilter("ignore")
    for folder, _, names in os.walk(sources):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                _compile(path, place + path.removeprefix(sources), output)


def _compile(path, target, output):
    with open(path, "rb") as file:
        source = file.read()
    try:
        code = compile(source, target, "exec", dont_inherit=True)
    except SyntaxError, ValueError, RecursionError, MemoryError:
        return
    folder, name = os.path.split(target)
    cached = f"{output}{folder}/__pycache__/{name[:-2]}{sys.implementation.cache_tag}.pyc"
    os.makedirs(os.path.dirname(cached), exist_ok=True)
    with open(cached, "wb") as file:
        # Not checked against the source: both are files of one package.
        file.write(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))
