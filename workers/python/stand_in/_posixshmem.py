"""Stands in for the C part of `multiprocessing.shared_memory`: sessions share none."""

import errno


def shm_open(path, flags, mode=0o777):
    """Refuse: there is no shared memory."""
    raise OSError(errno.ENOSYS, "Shared memory is not available in the sandbox", path)


def shm_unlink(path):
    """Refuse: there is no shared memory."""
    raise FileNotFoundError(errno.ENOENT, "No such shared memory", path)
