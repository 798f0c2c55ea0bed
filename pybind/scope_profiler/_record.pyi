"""Records: sessions, regions, wrapped functions, tasks, threads. C, on libscope.

Nothing here imports anything. Times are ns of CLOCK_MONOTONIC (time.perf_counter_ns).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, Generic, ParamSpec, Self, TypeVar, final

_P = ParamSpec("_P")
_T = TypeVar("_T")

VERSION: str  # "major.minor.patch" of libscope
UNTRACKED: int  # lanes: what of Python becomes a lane
THREADS: int
TASKS: int

class Session:
    """One recording of one manager. `process`: the process session, which C, Fortran and
    MPI record into too (adopted if it runs already); else one of its own. `closed`: it never
    records, its regions are no-ops."""

    on_miss: Callable[[str, Any, Any], Region]  # what region() calls for a name it does not have
    owner: Any

    def __new__(
        cls,
        *,
        process: bool = False,
        output: str | None = None,
        label: str | None = None,
        memory_only: bool = False,
        lanes: int = 0,
        closed: bool = False,
    ) -> Self: ...
    @property
    def live(self) -> bool: ...  # not closed, and the same recording still runs
    @property
    def adopted(self) -> bool: ...
    @property
    def lanes(self) -> int: ...
    @property
    def paused(self) -> bool: ...
    @property
    def dropped(self) -> int: ...  # events that could not be kept so far
    @property
    def regions(self) -> dict[str, Region]: ...  # live, in order of registration
    def region(self, region_name: str, functions: Any = None, tags: Any = None) -> Region: ...
    def add_region(
        self,
        name: str,
        *,
        tags: Sequence[str] = (),
        source_file: str = "",
        source_line: int = -1,
        source_text: str = "",
        enabled: bool = True,
        cls: type[Region] | None = None,
    ) -> Region:
        """A new one, or the one of that name that is there. `cls.__init__` is not called."""

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def bound(self) -> None: ...
    def leave(self, output: str | bytes | None, /) -> bool:
        """To the end of MPI: it writes the calls, under this name where this rank's decides. False:
        it cannot; None: it shall not."""

    def metadata(self, key: str, value: str, /) -> None: ...
    def close(self) -> None: ...  # also at deallocation; its regions become no-ops
    @property
    def pointer(self) -> object:
        """Capsule "scope_profiler.session" for _read.Cursor; renamed, so not valid, once closed.
        RuntimeError: closed already."""

class Region:
    """A context manager, re-entrant and recursive, from any thread and task; a subclass may
    override anything. Made by Session.add_region."""

    @property
    def region_name(self) -> str: ...
    @property
    def id(self) -> int: ...  # of libscope; -1: not recorded
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def source_file(self) -> str | None: ...
    @property
    def source_lineno(self) -> int | None: ...
    @property
    def source_text(self) -> str | None: ...
    @property
    def enabled(self) -> bool: ...
    @property
    def session(self) -> Session | None: ...
    @property
    def num_calls(self) -> int: ...  # entered, the open ones included; never goes back
    @property
    def num_exits(self) -> int: ...
    ptr_base: int  # num_calls at the last written finalize: ptr == num_calls - ptr_base
    def __enter__(self) -> Region: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        value: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...
    def begin(self) -> None: ...
    def end(self) -> None: ...
    def call(self, start_ns: int, end_ns: int, /) -> None: ...  # a call with times of its own

class Handle:
    """A region by name that survives sessions: resolves at entry, leaves what it entered."""

    def __new__(cls, name: str, resolve: Callable[[], Region]) -> Self: ...
    @property
    def name(self) -> str: ...
    def __enter__(self) -> Region: ...
    def __exit__(
        self, kind: Any = None, value: Any = None, traceback: Any = None, /
    ) -> None: ...

@final
class Profiled(Generic[_P, _T]):
    """A wrapped plain function: enter, call, leave, without a Python frame. Behaves as a
    function: binds as a method, has its attributes, `__wrapped__` and signature. A call takes C
    stack: where that ends (deep recursion, with a raised limit) it is a RecursionError."""

    __wrapped__: Callable[_P, _T]
    def __new__(
        cls, function: Callable[_P, _T], resolve: Callable[[], Region | None]
    ) -> Self: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _T: ...

def region(region_name: str, functions: Any = None, tags: Any = None) -> Region:
    """Of the default manager: a dict look-up on a hit, `on_miss` else."""

def set_default(session: Session | None, on_miss: Callable[[str, Any, Any], Region]) -> None: ...
def rebind() -> None:
    """Every Handle and Profiled asks its `resolve` again at its next entry (a setup, a reset)."""

def now_ns() -> int: ...
def ticks() -> int: ...  # the clock of events, for _read.Cursor.times()

# ---- lanes: threads, tasks, greenlets ----

def lanes_started() -> None:
    """A session with lanes began: threads that are known register in it at their next event."""

def lanes_forked() -> None:
    """In a forked child: tasks and greenlets of the parent record nothing here."""

def install_threads() -> None:
    """Threads that start from now on register before their first bytecode, in every live
    session with lanes. Counted: one uninstall for each install."""

def uninstall_threads() -> None: ...
def register_thread(session: Session, exact: bool = False, /) -> int:
    """The calling thread's index in the session, registering it with its name; -1: the
    session is over."""

def wrap_coroutine(coroutine: Any, name: str | None = None, /) -> Any:
    """A coroutine whose steps are a task of every live session with task lanes; without such
    a session, or wrapped already: the same one."""

def name_task(coroutine: Any, task: Any, /) -> None:
    """The asyncio task of a wrapped coroutine: its name is read now and at its end."""

def running_task(session: Session, /) -> int:
    """Index of the task or greenlet that runs on the calling thread, -1: none."""

def install_greenlets() -> None:
    """greenlet.settrace in the calling thread and in each that registers from now on, chained.
    Counted. ImportError: there is no greenlet."""

def uninstall_greenlets() -> None: ...
