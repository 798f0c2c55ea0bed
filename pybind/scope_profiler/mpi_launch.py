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
OVERRIDE_ENV_VAR = "SCOPE_PROFILER_MPI"
_first_pid = os.getpid()


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
    """mpi4py's MPI.COMM_WORLD, importing mpi4py (which starts MPI); None: serial."""
    wanted = forced()
    if wanted is None:
        wanted = launched_under_mpi() and not is_child()
    if not wanted:
        return None
    try:
        from mpi4py import MPI
    except ImportError:
        return None
    if MPI.Is_finalized() or not MPI.Is_initialized():
        return None
    comm = MPI.COMM_WORLD
    return getattr(comm, "communicator", comm)  # of a ProfiledMPIComm, the one inside
