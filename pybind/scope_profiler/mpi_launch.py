"""Does this process run under MPI, and which communicator is the job's?

`SCOPE_PROFILER_MPI` decides where it is set (1/true/yes/on, 0/false/no/off); else a variable
that MPI launchers set, or an mpi4py.MPI that is imported and initialised.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LAUNCHER_ENV_VARS = (
    "OMPI_COMM_WORLD_RANK",
    "PMI_RANK",
    "PMIX_RANK",
    "MV2_COMM_WORLD_RANK",
    "MPI_LOCALRANKID",
    "ALPS_APP_PE",
    "PALS_RANKID",
)
_RANK_AND_SIZE = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
)
OVERRIDE_ENV_VAR = "SCOPE_PROFILER_MPI"
_first_pid = os.getpid()
_job = (0, 1)  # rank and size when MPI was last seen running
_lacking = False  # ranks were started, and there is no mpi4py to reach them


def forced() -> bool | None:
    """What SCOPE_PROFILER_MPI says; None: it is not set, or to something else."""
    value = os.environ.get(OVERRIDE_ENV_VAR, "").strip().lower()
    if value in ("1", "true", "yes", "on"):
        return True
    return False if value in ("0", "false", "no", "off") else None


def launched_under_mpi() -> bool:
    """Whether an MPI launcher started this process, or mpi4py runs here."""
    if any(name in os.environ for name in LAUNCHER_ENV_VARS):
        return True
    mpi = sys.modules.get("mpi4py.MPI")
    return mpi is not None and bool(mpi.Is_initialized()) and not mpi.Is_finalized()


def is_child() -> bool:
    """A process that a rank made (forked, multiprocessing): it is no rank, though it has the
    launcher's variables and may find MPI running."""
    if os.getpid() != _first_pid:
        return True
    processes = sys.modules.get("multiprocessing.process")
    return processes is not None and processes.parent_process() is not None


def get_comm() -> Any | None:
    """mpi4py's MPI.COMM_WORLD, importing mpi4py (which starts MPI); None: serial, or MPI has
    ended."""
    global _job, _lacking
    if not _wanted():
        return None
    try:
        from mpi4py import MPI
    except ImportError:
        _lacking = True
        return None
    if MPI.Is_finalized() or not MPI.Is_initialized():
        return None
    comm = getattr(MPI.COMM_WORLD, "communicator", MPI.COMM_WORLD)  # inside a ProfiledMPIComm
    _job = comm.Get_rank(), comm.Get_size()
    return comm


def _wanted() -> bool:
    wanted = forced()
    return launched_under_mpi() and not is_child() if wanted is None else wanted


def is_lacking() -> bool:
    """There are ranks, and no mpi4py to gather them."""
    return _lacking


def job() -> tuple[int, int]:
    """This process's rank and how many there are, also when MPI has ended or mpi4py is not
    installed; (0, 1): serial."""
    if get_comm() is not None:
        return _job
    mpi = sys.modules.get("mpi4py.MPI")
    has_ended = mpi is not None and bool(mpi.Is_finalized())
    if not (has_ended or _lacking) or not _wanted():
        return 0, 1
    for rank, size in _RANK_AND_SIZE:
        if os.environ.get(rank, "").isdigit() and os.environ.get(size, "").isdigit():
            return int(os.environ[rank]), int(os.environ[size])
    return _job
