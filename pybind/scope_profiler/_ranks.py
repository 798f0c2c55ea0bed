"""The ranks of a run under MPI, and how their tables become one.

The C library of the MPI that runs gives the world (`_read.World`); where it was not built,
mpi4py's communicator takes its place. Both are collective: all ranks, in the same order. What
fails on one rank fails on all, and a rank that does not come leaves the others with files of
their own.
"""

from __future__ import annotations

import os

from . import _report, mpi_launch
from ._files import ERR_ARGUMENT, is_json_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeVar

    from . import _read
    from ._engine import Engine, Run
    from .results import ProfilingResults

    T = TypeVar("T")

SAME_CLOCK = (0, 0.0, 0, -1)


class Communicator:
    """A world on mpi4py alone. Clocks are not compared: right on one node, a guess on many."""

    pointer = None
    clock = SAME_CLOCK

    def __init__(self, comm: Any) -> None:
        self._comm = comm.Dup()
        self.rank, self.size = self._comm.Get_rank(), self._comm.Get_size()

    def agree(self, number: int) -> int:
        return int(min(0, *self._comm.allgather(number)))

    def gather(self, data: bytes) -> list[bytes] | None:
        gathered: list[bytes] | None = self._comm.gather(data)
        return gathered

    def broadcast(self, data: bytes) -> bytes:
        return bytes(self._comm.bcast(data))

    def close(self) -> None:
        self._comm.Free()


def open_world(comm: Any) -> _read.World | Communicator | Literal[False] | None:
    """The ranks of `comm`, mpi4py's COMM_WORLD; None: not all came, or MPI fails; False: some are
    in MPI_Finalize, where one file of all is written."""
    from . import _read

    try:
        world = _read.open_world()
    except _read.FileError:
        return None
    return world if world is not None else Communicator(comm)


def together(world: Any, make: Callable[[], T], what: str) -> T:
    """`make()` on every rank. If it fails on one, every rank has an exception: its own, or a
    RuntimeError that names the first that failed; nobody waits for ever."""
    result: T
    failure: BaseException | None = None
    try:
        result = make()
    except BaseException as error:  # an interrupt here must not leave the others waiting
        failure = error
    worst = world.agree(-(world.size - world.rank) if failure is not None else 0)
    if failure is not None:
        raise failure
    if worst < 0:
        raise RuntimeError(f"{what} failed on rank {world.size + worst}; its own message says why")
    return result


def finalize_together(
    engine: Engine, run: Run, finalize_ns: int, native_traces: Any, wanted: bool
) -> ProfilingResults | None:
    """As _report.finalize, on all ranks. Rank 0 has the results, the others empty ones."""
    comm = mpi_launch.get_comm()
    world = open_world(comm) if comm is not None else None
    if world is False:
        return _leave(engine, run, finalize_ns, native_traces, wanted)
    if world is None:
        why = (
            "mpi4py, which gathers the ranks, cannot be imported"
            if mpi_launch.is_lacking()
            else "MPI has ended"
            if comm is None
            else ("not every rank came to finalize(), or not in time (SCOPE_GATHER_TIMEOUT)")
        )
        return _apart(engine, run, finalize_ns, native_traces, wanted, why)
    try:
        if _agrees(world, run):
            wanted = world.agree(-int(wanted)) < 0  # by any rank: gathering is for all
            return _finalize(world, engine, run, finalize_ns, native_traces, wanted)
    finally:
        world.close()
    why = "the ranks were set up with different outputs, or aggregation_mode"
    return _apart(engine, run, finalize_ns, native_traces, wanted, why)


def _agrees(world: Any, run: Run) -> bool:
    """All ranks are about to do the same: what one rank chose gates no collective."""
    from zlib import crc32

    config = run.config
    output = "" if config.deactivate_file_output else os.path.abspath(run.output)
    text = f"{output}\0{config.aggregation_mode}".encode(errors="surrogateescape")
    number, least = crc32(text) >> 2, -(1 << 31)  # agree() gives the least of 0 and all
    return bool(-world.agree(-number) == world.agree(least + number) - least)


def _finalize(
    world: Any, engine: Engine, run: Run, finalize_ns: int, native_traces: Any, wanted: bool
) -> ProfilingResults | None:
    writes = not run.config.deactivate_file_output
    is_root = world.rank == 0
    if writes:
        together(world, lambda: _report.check_folder(run.output) if is_root else None, "the output")
    table, values = together(
        world, lambda: _report.take_table(engine, run, finalize_ns, native_traces), "finalize"
    )
    everything: _read.Table | None = None
    if writes and world.pointer is not None and not is_json_path(run.output):
        _write_file(world, run, table)
        if is_root and wanted:
            everything = _read_back(run)
        if world.agree(-int(is_root and wanted and everything is None)) < 0:
            everything = gather_tables(world, table)
    elif writes or wanted:
        everything = gather_tables(world, table)
        if writes:
            together(
                world, lambda: _report.write(run, everything) if everything else None, "writing"
            )
    _report.mark_reported(engine, run, written=writes)
    if not wanted:
        return None
    if not is_root:
        return _report.empty_results(engine, is_root=False)
    assert everything is not None
    return _report.results_of(everything, run, values)


def _read_back(run: Run) -> _read.Table | None:
    """What was written; None: not all of it is seen here, as files per rank on other nodes."""
    from . import _read

    try:
        return _read.open_file(os.path.abspath(run.output))
    except _read.FileError:
        return None


def _write_file(world: Any, run: Run, table: _read.Table) -> None:
    from . import _read

    settings = _report.file_settings(run.config)
    mode = run.config.output_mode
    path = os.path.abspath(run.output)
    failure: _read.FileError | None = None
    try:
        _read.write_collective(world.pointer, path, table, mode=mode, **settings)
    except _read.FileError as error:
        failure = error
    if settings["compression"] == "zstd":  # which HDF5 may lack: then on all ranks
        lacks = failure is not None and failure.status == ERR_ARGUMENT
        if world.agree(-int(lacks)) < 0:
            run.warnings.append(f"{failure}: it is written with gzip instead")
            settings.update(compression="gzip", level=1)
            _read.write_collective(world.pointer, path, table, mode=mode, **settings)
            return
    if failure is not None:
        raise failure


def _apart(
    engine: Engine, run: Run, finalize_ns: int, native_traces: Any, wanted: bool, why: str
) -> ProfilingResults | None:
    """Not all ranks are here: this one keeps what it has, in a file of its own."""
    from . import _read

    rank, size = mpi_launch.job()
    table, values = _report.take_table(engine, run, finalize_ns, native_traces)
    table = _read.place(table, rank, size, SAME_CLOCK)
    if not run.config.deactivate_file_output:
        stem, dot, suffix = os.path.basename(run.output).partition(".")
        own = os.path.join(os.path.dirname(run.output), f"{stem}.rank{rank}{dot}{suffix}")
        if rank == 0 or not mpi_launch.is_lacking():  # else all say the same
            run.warnings.append(
                f"{why}: each rank that came writes its own file, this one {own!r}; `scope merge` "
                "joins them"
            )
        _report.write(run, table, own)
    _report.mark_reported(engine, run, written=not run.config.deactivate_file_output)
    return _report.results_of(table, run, values) if wanted else None


def _leave(
    engine: Engine, run: Run, finalize_ns: int, native_traces: Any, wanted: bool
) -> ProfilingResults | None:
    """Ranks of C, or without a session, end in MPI_Finalize: this one's calls are written there
    with theirs, unless that would lose what Python alone knows how to write."""
    from . import _read

    path = os.path.abspath(run.output)
    why = (
        "JSON is not written in MPI_Finalize"
        if is_json_path(path)
        else "MPI_Finalize does not write native traces"
        if native_traces is not None
        else "MPI_Finalize writes the default ProfileManager's calls only"
        if not engine.is_default
        else ""
    )
    writes = not run.config.deactivate_file_output
    run.is_left = run.session.leave(path if writes and not why else None)
    if writes and not run.is_left:
        why = why or "the recording has ended"
        return _apart(engine, run, finalize_ns, native_traces, wanted, why)
    rank, size = mpi_launch.job()
    table, values = _report.take_table(engine, run, finalize_ns, native_traces)
    table = _read.place(table, rank, size, SAME_CLOCK)
    if run.is_left and values:
        run.warnings.append("values of metadata() are not in the file that MPI_Finalize writes")
    _report.mark_reported(engine, run, written=False)
    return _report.results_of(table, run, values) if wanted else None


def gather_tables(world: Any, table: _read.Table) -> _read.Table | None:
    """All ranks' tables as one, on rank 0; None elsewhere."""
    import pickle

    import numpy

    from . import _read

    def pack() -> bytes:
        parts = _read.place(table, world.rank, world.size, world.clock).parts()
        parts["columns"] = {
            name: numpy.asarray(column) for name, column in parts["columns"].items()
        }
        return pickle.dumps(parts, protocol=5)

    packed = world.gather(together(world, pack, "packing the profile"))

    def merge() -> _read.Table | None:
        if packed is None:
            return None
        tables = [pickle.loads(one) for one in packed]
        merged = _read.merge([_read.Table(parts) for parts in tables])
        metadata = dict(tables[0]["metadata"])
        metadata["num_nodes"] = len({row["host"] for row in merged.part("ranks")}) or 1
        # all count from rank 0's setup
        return merged.replace(metadata=metadata, start_time_ns=tables[0]["start_time_ns"])

    return together(world, merge, "joining the profiles")
