"""Facts about the machine and the versions at work, for every record."""

from __future__ import annotations

import os
import platform
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import ter

__all__ = ["machine_facts", "usable_cores"]

PACKAGES = ("numpy", "scipy", "numba", "llvmlite")


def machine_facts() -> dict[str, str]:
    """Describe this process and its machine.

    Examples
    --------
    >>> list(machine_facts())[:6]
    ['host', 'system', 'processor', 'cores', 'memory', 'python']
    """
    return {**_lasting(), "process": str(os.getpid())}


@lru_cache
def _lasting() -> dict[str, str]:
    return {
        "host": platform.node(),
        "system": platform.platform(),
        "processor": _processor(),
        "cores": str(os.cpu_count() or 1),
        "memory": _memory(),
        "python": platform.python_version(),
        "ter": ter.__version__,
        **{package: _version(package) for package in PACKAGES},
    }


def usable_cores() -> int:
    """Return how many cores this process may use.

    Examples
    --------
    >>> usable_cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB"
    except (AttributeError, OSError, ValueError):
        return "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
