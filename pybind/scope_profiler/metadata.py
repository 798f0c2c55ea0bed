"""What is stored about the machine and the run. No values of the environment leave the
process unless `metadata_detail="full"` asks for them."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

METADATA_DETAILS = ("minimal", "full")

_ENVIRONMENT = (
    "PATH", "LD_LIBRARY_PATH", "LOADEDMODULES", "MODULEPATH", "MODULESHOME", "MODULES_CMD",
    "MODULES_RUN_QUARANTINE", "PYTHON_HOME", "PYTHON_INC", "PYTHON_INCLUDE", "PYTHON_LIB",
    "VIRTUAL_ENV",
)  # fmt: skip
_LONGEST = 60_000  # characters of one value: an HDF5 attribute holds 64 KiB
_CUT_OFF = "...[truncated]"


def check_metadata_detail(detail: str) -> str:
    """`detail`, or ValueError."""
    if detail not in METADATA_DETAILS:
        raise ValueError(f"metadata_detail must be one of {METADATA_DETAILS}, got {detail!r}")
    return detail


def collect_metadata(
    mpi_size: int = 1, detail: str = "minimal"
) -> dict[str, str | int | list[str]]:
    """Facts about this process: "minimal" what results need, "full" host, user, paths,
    modules and the batch system's variables too."""
    check_metadata_detail(detail)
    from datetime import datetime, timezone

    from . import __version__

    threads = omp_num_threads()
    found: dict[str, str | int | list[str]] = {
        "timestamp": datetime.now(timezone.utc).isoformat(),
        "platform": platform_name(),
        "chip_information": chip_information(),
        "python_version": sys.version.split()[0],
        "scope_profiler_version": __version__,
        "omp_num_threads": threads,
        "mpi_size": mpi_size,
        "total_cores": mpi_size * threads,
        "num_nodes": 1,
    }
    if detail == "full":
        found.update(_surroundings())
    return {key: _shorten(value) for key, value in found.items()}


def platform_name() -> str:
    """As platform.platform(), which starts a program (uname -p) in a process that is not ours."""
    system = os.uname()
    try:
        libc = (os.confstr("CS_GNU_LIBC_VERSION") or "").replace(" ", "")
    except (OSError, ValueError):  # no glibc
        libc = ""
    parts = [system.sysname, system.release, system.machine]
    return "-".join(parts + ["with", libc] if libc else parts).replace(" ", "_")


def chip_information() -> str:
    """The processor's name."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                key, _, value = line.partition(":")
                if key.strip().lower() in ("model name", "cpu model", "hardware"):
                    return value.strip()
    except OSError:
        pass
    return os.uname().machine or "unknown"


def omp_num_threads() -> int:
    """OMP_NUM_THREADS (of a list, the outermost), else the CPUs of this process."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if first.isdigit() and int(first) > 0:
        return int(first)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _surroundings() -> dict[str, str | int | list[str]]:
    import getpass
    import socket

    found: dict[str, str | int | list[str]] = {
        "hostname": socket.gethostname(),
        "uname": " ".join(os.uname()),
        "working_directory": _or_unknown(os.getcwd),
        "user": _or_unknown(getpass.getuser),
        "modules": [name for name in os.environ.get("LOADEDMODULES", "").split(":") if name],
    }
    for name, value in os.environ.items():
        if value and (name in _ENVIRONMENT or name.startswith(("SLURM_", "SLURMD_"))):
            found[name] = value
    return found


def _or_unknown(ask: Any) -> str:
    try:
        return str(ask())
    except (OSError, KeyError, ImportError):  # a directory that is gone, a user without a name
        return "unknown"


def _shorten(value: str | int | list[str]) -> str | int | list[str]:
    if isinstance(value, list):
        return [str(_shorten(item)) for item in value]
    if isinstance(value, str) and len(value) > _LONGEST:
        return value[:_LONGEST] + _CUT_OFF
    return value


def recorded_path(filename: str, detail: str) -> str:
    """A source path as it is stored: with "minimal" relative to the working directory, else
    to the deepest entry of sys.path that contains it, else its last part alone."""
    if detail == "full" or not os.path.isabs(filename):
        return filename

    def inside(folder: str) -> str:
        """`filename` relative to `folder`, "" if it is not in it."""
        prefix = os.path.normpath(folder).rstrip(os.sep) + os.sep
        is_in = bool(folder) and os.path.isabs(folder) and filename.startswith(prefix)
        return filename[len(prefix) :] if is_in else ""

    here = inside(_or_unknown(os.getcwd))
    found = [relative for relative in map(inside, sys.path or ()) if relative]
    return here or min(found, key=len, default=os.path.basename(filename))
