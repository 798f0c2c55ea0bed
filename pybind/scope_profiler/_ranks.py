"""The ranks of a run under MPI, and how their tables become one.

The C library of the MPI that runs gives the world (`_read.World`); where it was not built,
mpi4py's communicator takes its place. Both are collective: all ranks, in the same order.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from . import _read

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
        return min(self._comm.allgather(number))

    def gather(self, data: bytes) -> list[bytes] | None:
        return self._comm.gather(data)

    def broadcast(self, data: bytes) -> bytes:
        return self._comm.bcast(data)

    def close(self) -> None:
        self._comm.Free()


def open_world(comm: Any) -> _read.World | Communicator | None:
    """The ranks of `comm` (mpi4py's COMM_WORLD); None: a serial run, or a job of one rank."""
    if comm is None or comm.Get_size() == 1:
        return None
    from . import _read

    mine = _read.open_world()
    has_all = min(comm.allgather(mine is not None))
    if mine is not None and has_all:
        return mine
    if mine is not None:
        mine.close()
    return Communicator(comm)


def together(world: Any, make: Callable[[], T], what: str) -> T:
    """`make()` on every rank. If it fails on one, every rank has an exception: its own, or a
    RuntimeError that names the first that failed; nobody waits for ever."""
    result: T
    failure: BaseException | None = None
    try:
        result = make()
    except Exception as error:
        failure = error
    worst = world.agree(-(world.size - world.rank) if failure is not None else 0)
    if failure is not None:
        raise failure
    if worst < 0:
        raise RuntimeError(f"{what} failed on rank {world.size + worst}; its own message says why")
    return result


def gather_tables(world: Any, table: _read.Table) -> _read.Table | None:
    """All ranks' tables as one, on rank 0; None elsewhere."""
    import pickle

    from . import _read
    import numpy

    def pack() -> bytes:
        parts = _read.place(table, world.rank, world.size, world.clock).parts()
        parts["columns"] = {name: numpy.asarray(column) for name, column in parts["columns"].items()}
        return pickle.dumps(parts, protocol=5)

    packed = world.gather(together(world, pack, "packing the profile"))
    if packed is None:
        return None
    return _read.merge([_read.Table(pickle.loads(one)) for one in packed])
