"""Which MPI world a run belongs to. The one place that looks for MPI."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LAUNCHERS = (
    "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "MPI_LOCALRANKID",
    "ALPS_APP_PE", "PALS_RANKID",
)  # fmt: skip


def wanted() -> bool:
    """SCOPE_PROFILER_MPI decides; else a launcher's variable, or MPI that runs already."""
    forced = os.environ.get("SCOPE_PROFILER_MPI", "").strip().lower()
    if forced in ("1", "true", "yes", "on"):
        return True
    if forced in ("0", "false", "no", "off"):
        return False
    if any(name in os.environ for name in LAUNCHERS):
        return True
    mpi = sys.modules.get("mpi4py.MPI")
    return mpi is not None and bool(mpi.Is_initialized())


def communicator() -> Any:
    """mpi4py's COMM_WORLD, or None for a serial run (also where mpi4py is missing)."""
    if not wanted():
        return None
    try:
        from mpi4py import MPI
    except ImportError:
        return None
    return None if MPI.Is_finalized() else MPI.COMM_WORLD


def current(config: Any) -> Any:
    """The world that finalize() of this configuration is collective over; None: serial."""
    return None
