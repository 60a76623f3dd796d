"""Stands in for `resource`: there is no process whose limits could be asked for or set."""

import time
from collections import namedtuple

RLIM_INFINITY = -1
RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_RSS = range(6)
RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MEMLOCK, RLIMIT_AS = range(6, 10)
RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD = 0, -1, 1
error = OSError

struct_rusage = namedtuple(
    "struct_rusage",
    "ru_utime ru_stime ru_maxrss ru_ixrss ru_idrss ru_isrss ru_minflt ru_majflt ru_nswap "
    "ru_inblock ru_oublock ru_msgsnd ru_msgrcv ru_nsignals ru_nvcsw ru_nivcsw",
)


def getrlimit(resource):
    """Return that there is no limit: those of a session are not Python's to see."""
    return (RLIM_INFINITY, RLIM_INFINITY)


def setrlimit(resource, limits):
    """Do nothing."""


def getrusage(who):
    """Return the processor time of the session, and nothing else."""
    return struct_rusage(time.process_time(), 0.0, *[0] * 14)


def getpagesize():
    """Return the size of a page of WebAssembly's memory."""
    return 65536
