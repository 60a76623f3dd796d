"""Schemas from signatures, under the SDK's names."""

from berth_runtime.serving.parameters import InvalidSignature, Parameters


def func_metadata(func, skip_names=(), structured_output=None):
    """Return the compiled parameters of a function."""
    return Parameters(func, skip=skip_names)


__all__ = ["InvalidSignature", "func_metadata"]
