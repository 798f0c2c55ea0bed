"""Reads: recordings, files and call tables; nesting, statistics, exports. C, on
libscope_analysis and libscope_hdf5. The GIL is released around the work.

Columns are objects with the buffer protocol, read-only, that keep their table alive:
`numpy.asarray(column)` makes no copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

# What FileError.status is and World.agree() takes (scope/status.h); the worst is the smallest.
OK: int
ERR_ARGUMENT: int
ERR_MEMORY: int
ERR_IO: int
ERR_STATE: int
ERR_MISSING: int
ERR_CORRUPT: int
ERR_VERSION: int
ERR_SPACE: int
ERR_BUDGET: int
ERR_LIBRARY: int
ERR_RANK: int
ERR_TIMEOUT: int
ERR_NESTING: int

class NestingClash(ValueError):
    """Two calls do not nest. `first`, `second`: their places in what was given (the same
    place twice: it ends before it starts)."""

    first: int
    second: int

class FileError(OSError):
    """A file that cannot be read or written: str() is a sentence, `status` the scope_status."""

    status: int

class FileMissingError(FileError, FileNotFoundError):
    """No such file or folder."""

class Column:
    """A one-dimensional array of int64, int32 or uint8."""

    def __len__(self) -> int: ...
    def __buffer__(self, flags: int) -> memoryview: ...

class Pair(TypedDict, total=False):
    """One region on one rank; rows [first, first + count) of the columns."""

    rank: int
    region: int
    first: int
    count: int
    source_file: str  # "" unknown
    source_line: int  # -1 unknown
    source_text: str
    tags: list[str]
    exclusive_ns: int  # -1 not computed
    event_metadata: str  # JSON array text; "" none
    statistics: tuple[int, int, int, int, int, int, int, float, float]

class Parts(TypedDict, total=False):
    """A whole table. Only `regions` and `pairs` are needed; columns are buffers of int64
    (mpi_peers, mpi_comms, mpi_tags: int32; flags, mpi_kinds: uint8), all of one length."""

    rank_count: int
    is_aggregate: bool
    start_time_ns: int
    end_time_ns: int
    regions: list[str]
    pairs: list[Pair]
    columns: dict[str, Any]  # start_ns duration_ns call_ids parent_ids thread_ids task_ids
    #   await_ns flags mpi_bytes mpi_peers mpi_comms mpi_tags mpi_kinds gpu_ns
    threads: list[dict[str, Any]]  # rank index name ident native_id daemon start_ns end_ns cpu_ns
    tasks: list[dict[str, Any]]  # rank index kind name coro_name thread_index created_ns done_ns
    #   steps running_ns suspended_ns; times absolute, -1 unknown
    sums: list[dict[str, Any]]  # rank region lane count total_ns minimum_ns maximum_ns
    #   exclusive_ns await_ns first_ns last_ns
    metadata: dict[str, str | int | list[str]]
    ranks: list[dict[str, Any]]
    marks: list[dict[str, Any]]
    counters: list[dict[str, Any]]
    communicators: list[dict[str, Any]]  # rank id parent size rank_in serial members name
    messages: list[dict[str, Any]]  # rank row bytes peer communicator tag kind; in order of rows
    misuse: list[dict[str, Any]]
    topology: str

class Table:
    """A call table (analysis/include/scope/calls.h)."""

    def __init__(self, parts: Mapping[str, Any]) -> None: ...
    def parts(self) -> Parts: ...  # columns are Column objects of this table
    def part(self, name: str) -> Any: ...  # one of them alone: the others are not made
    def column(self, name: str) -> Column | None: ...
    def __len__(self) -> int: ...
    @property
    def nests(self) -> bool: ...  # it has call ids
    def nest(self, first_call_id: int = 0) -> bool: ...  # compute ids, exclusive, statistics
    def nesting_error(self, rank: int) -> str: ...  # which calls of the rank do not nest; ""
    def exclusive(self) -> Column: ...  # ns per row, computed once; raises NestingClash
    @property
    def is_aggregate(self) -> bool: ...
    def aggregate(self, per_lane: bool = False) -> Table: ...  # counts and sums instead of rows
    def replace(self, **parts: Any) -> Table: ...  # a new table: other metadata, pairs' texts

class Cursor:
    """What a session has recorded so far."""

    def __init__(self, session_pointer: object, *, untracked: bool = False) -> None: ...
    def advance(self) -> None: ...
    def table(self, order: Sequence[int] = (), first_call_id: int = 0) -> Table: ...
    def lanes(self) -> Table: ...  # thread and task tables alone
    def region(self, region_id: int) -> tuple[Column, Column]: ...  # starts, ends (0: open)
    def times(self, ticks: Any) -> Column: ...  # int64: ns of _record.ticks() before advance()
    def open_count(self, except_region: int = -1) -> int: ...
    def cut(self) -> None: ...
    def checkpoint(self, output: str, next_call_id: int) -> None: ...  # cut, and tell the recording

def nest(start_ns: Any, duration_ns: Any, lanes: Any = None) -> tuple[Column, Column, Column, Column]:
    """order, depth, parent, exclusive_ns (calls.h, scope_nest). Raises NestingClash."""

def summarize(table: Table, by: str = "region", *, overhead: bool = False) -> list[dict[str, Any]]:
    """results.h: by "region", "rank" or "lane"; what the recorder took (overhead.h) where asked."""

def communication(table: Table) -> dict[str, list[dict[str, Any]]]:
    """communication.h: "communicators" (joined), "functions" and "peers", whose communicator is
    a place among those or -1, and "untold"."""

def waits(table: Table, *, each: bool = False) -> dict[str, Any]:
    """waits.h: lists of dicts, counts, "kinds" by number; "rows" is empty without `each`."""

def percentile(values_ns: Any, q: float) -> float: ...
def lane_label(table: Table, rank: int, lane: int) -> str: ...
def open_file(path: str) -> Table: ...  # HDF5
def write_file(
    path: str, table: Table, *, compression: str | None = None, level: int = 0, chunk_size: int = 0
) -> None: ...
def write_collective(
    world: object, path: str, table: Table | None, *, compression: str | None = None, level: int = 0, chunk_size: int = 0,
    mode: str | None = None,
) -> dict[str, Any]:
    """All ranks of the world (a capsule) together; the report, valid on rank 0."""

def open_json(path: str) -> Table: ...
def open_trace(path: str) -> Table: ...  # .spt
def export(
    table: Table,
    format: str,  # "speedscope" "chrome" "prof" "json"
    path: str,
    *,
    ranks: Sequence[int] | None = None,
    name: str | None = None,
    exporter: str | None = None,
    indent: int = -1,
    gzip: bool = False,
    call_paths: bool = True,
    arrows: bool = True,
) -> None: ...

def merge(tables: Sequence[Table]) -> Table: ...  # ValueError: two have rows of one rank
def place(table: Table, rank: int, rank_count: int, clock: tuple[int, float, int, int]) -> Table:
    """A copy of a one-rank table as this rank's, on rank 0's clock (World.clock)."""

class World:
    """The ranks of the job, where MPI runs. Every method is collective: all ranks, same order."""

    @property
    def rank(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def clock(self) -> tuple[int, float, int, int]: ...  # offset_ns, drift, at_ns, bound_ns
    @property
    def pointer(self) -> object: ...  # capsule "scope_profiler.world"
    def measure(self) -> None: ...  # compare the clocks again
    def agree(self, number: int) -> int: ...  # the least of 0 and all; 32 bits
    def gather(self, data: bytes) -> list[bytes] | None: ...  # None but on rank 0
    def broadcast(self, data: bytes) -> bytes: ...  # rank 0's
    def close(self) -> None: ...  # before MPI_Finalize

def open_world() -> World | Literal[False] | None:
    """None: no MPI runs here that we have a library for; False: other ranks are in MPI_Finalize,
    which writes one file of all."""

