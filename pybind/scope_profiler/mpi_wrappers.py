"""MPI calls of mpi4py as regions of the default manager, one name per kind of message.

    mpi:send kind=point-to-point bytes=80 peer=1 root=-1 tag=3 comm=0

-1 stands for what is unknown or does not apply. Where a program runs under `scope run` the C
library records the same calls (and all others) by itself, without any of this.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from .manager import ProfileManager

_COLLECTIVE = frozenset(("barrier", "bcast", "allreduce", "reduce"))
_NEW_COMMUNICATORS = frozenset(
    (
        "Clone",
        "Create",
        "Create_cart",
        "Create_dist_graph",
        "Create_dist_graph_adjacent",
        "Create_from_group",
        "Create_graph",
        "Create_group",
        "Create_intercomm",
        "Dup",
        "Dup_with_info",
        "Merge",
        "Split",
        "Split_type",
    )
)
_NAME = re.compile(
    r"mpi:(?P<operation>\S+) kind=(?P<kind>\S+) bytes=(?P<bytes>-?\d+) peer=(?P<peer>-?\d+) "
    r"root=(?P<root>-?\d+) tag=(?P<tag>-?\d+) comm=(?P<communicator>-?\d+)"
    r"(?: request=(?P<request>\S+))?"
)


class MPIRegionMetadata(NamedTuple):
    """What the name of an MPI region says."""

    operation: str
    kind: str  # "point-to-point", "collective" or "wait"
    bytes: int
    peer: int
    root: int
    tag: int
    communicator: int
    request: str | None = None


def _kind(operation: str) -> str:
    if operation in _COLLECTIVE:
        return "collective"
    return "wait" if operation == "wait" else "point-to-point"


def format_mpi_region(
    operation: str,
    *,
    bytes: int = -1,
    peer: int = -1,
    root: int = -1,
    tag: int = -1,
    communicator: int = -1,
    request: str | None = None,
) -> str:
    """The name of the region of such a call."""
    name = (
        f"mpi:{operation} kind={_kind(operation)} bytes={bytes} peer={peer} root={root} "
        f"tag={tag} comm={communicator}"
    )
    return f"{name} request={request}" if request else name


def parse_mpi_region(name: str) -> MPIRegionMetadata | None:
    """Back from a name; None: it is no MPI region's."""
    found = _NAME.fullmatch(name)
    if not found:
        return None
    size, peer, root, tag, communicator = (
        int(found[key]) for key in ("bytes", "peer", "root", "tag", "communicator")
    )
    return MPIRegionMetadata(
        found["operation"], found["kind"], size, peer, root, tag, communicator, found["request"]
    )


def _tags(what: MPIRegionMetadata) -> tuple[str, ...]:
    tags = [
        "mpi",
        f"mpi.kind:{what.kind}",
        f"mpi.operation:{what.operation}",
        f"mpi.bytes:{what.bytes}",
        f"mpi.peer:{what.peer}",
        f"mpi.root:{what.root}",
        f"mpi.tag:{what.tag}",
        f"mpi.communicator:{what.communicator}",
    ]
    return (*tags, f"mpi.request:{what.request}") if what.request else tuple(tags)


def _datatype_bytes(datatype: Any) -> int:
    size = getattr(datatype, "Get_size", None)
    return int(size()) if size else -1


def _buffer_bytes(value: Any) -> int:
    """Of something with the buffer protocol or `nbytes`; -1: it is neither."""
    size = getattr(value, "nbytes", None)
    if isinstance(size, int):
        return size
    try:
        with memoryview(value) as view:
            return view.nbytes
    except TypeError:
        return -1


def message_nbytes(value: Any, *, pickle_objects: bool = True) -> int:
    """Bytes of a message: a buffer, mpi4py's [buffer, (count,) datatype], or, if wanted, the
    pickle of an object. -1: unknown."""
    if value is None:
        return -1
    size = _buffer_bytes(value)
    if size >= 0:
        return size
    if isinstance(value, (list, tuple)) and value and _buffer_bytes(value[0]) >= 0:
        datatype = _datatype_bytes(value[-1])
        if len(value) == 3 and isinstance(value[1], int) and datatype >= 0:
            return value[1] * datatype
        if len(value) == 2:
            return (
                value[1] if isinstance(value[1], int) and datatype < 0 else _buffer_bytes(value[0])
            )
    if not pickle_objects:
        return -1
    import pickle

    try:
        return len(pickle.dumps(value))
    except Exception:  # whatever an object's own methods raise: the call itself will say it
        return -1


def _communicator_id(communicator: Any) -> int:
    number = getattr(communicator, "py2f", None)
    try:
        return int(number()) if number else -1
    except Exception:  # mpi4py without Fortran handles
        return -1


def _known(number: Any) -> int:
    """A rank or a tag; what is negative is a wildcard or no process."""
    return number if isinstance(number, int) and number >= 0 else -1


def _region(operation: str, **values: Any) -> Any:
    name = format_mpi_region(operation, **values)
    region = ProfileManager.get_region(name)
    if region is None:
        what = parse_mpi_region(name)
        assert what is not None
        region = ProfileManager.region(name, tags=_tags(what))
    return region


class ProfiledMPIRequest:
    """A request whose wait is a region; all else is the request's own."""

    def __init__(
        self, request: Any, *, operation: str, bytes: int, peer: int, tag: int, communicator: int
    ) -> None:
        self.request = request
        self._values = {
            "request": operation,
            "bytes": bytes,
            "peer": peer,
            "tag": tag,
            "communicator": communicator,
        }

    def wait(self, *args: Any, **kwargs: Any) -> Any:
        with _region("wait", **self._values):
            return self.request.wait(*args, **kwargs)

    def Wait(self, *args: Any, **kwargs: Any) -> Any:
        with _region("wait", **self._values):
            return self.request.Wait(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.request, name)


class ProfiledMPIComm:
    """A communicator whose calls are regions; what it does not know passes through."""

    def __init__(self, communicator: Any, *, pickle_object_sizes: bool = False) -> None:
        self.communicator = getattr(communicator, "communicator", communicator)
        self._pickle = pickle_object_sizes
        self._id = _communicator_id(self.communicator)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.communicator, name)
        if name not in _NEW_COMMUNICATORS:
            return value

        def make(*args: Any, **kwargs: Any) -> Any:
            made = value(*args, **kwargs)
            return made if not made else ProfiledMPIComm(made, pickle_object_sizes=self._pickle)

        return make

    def __eq__(self, other: object) -> bool:
        return bool(self.communicator == getattr(other, "communicator", other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]  # as mpi4py's

    def __bool__(self) -> bool:
        return bool(self.communicator)

    def _bytes(self, value: Any, is_object: bool) -> int:
        if is_object:
            return message_nbytes(value, pickle_objects=self._pickle)
        return message_nbytes(value, pickle_objects=False)


def _argument(
    args: tuple[Any, ...], kwargs: dict[str, Any], place: int, name: str, default: Any
) -> Any:
    return args[place] if len(args) > place else kwargs.get(name, default)


def _add(
    name: str, message: int, peer: tuple[int, str] | None, root: int | None, tag: int | None
) -> None:
    """Define one call: the places of its message, peer, root and tag among its arguments."""
    operation = name.lower()
    is_object = name == operation
    waits = operation in ("isend", "irecv")

    def call(self: ProfiledMPIComm, *args: Any, **kwargs: Any) -> Any:
        inner = getattr(self.communicator, name)
        values = {"communicator": self._id, "bytes": 0 if operation == "barrier" else -1}
        if message >= 0 and not (is_object and "recv" in operation):
            values["bytes"] = self._bytes(
                args[message] if len(args) > message else next(iter(kwargs.values()), None),
                is_object,
            )
        if peer:
            values["peer"] = _known(_argument(args, kwargs, peer[0], peer[1], -1))
        if tag is not None:
            default = 0 if "send" in operation else -1
            values["tag"] = _known(_argument(args, kwargs, tag, "tag", default))
        if root is not None:
            values["root"] = _known(_argument(args, kwargs, root, "root", 0))
        with _region(operation, **values):
            result = inner(*args, **kwargs)
        if not waits:
            return result
        del values["communicator"]
        return ProfiledMPIRequest(result, operation=operation, communicator=self._id, **values)

    call.__name__ = name
    call.__qualname__ = f"ProfiledMPIComm.{name}"
    call.__doc__ = f"The communicator's {name}, as a region."
    setattr(ProfiledMPIComm, name, call)


for _name in ("send", "Send", "isend", "Isend"):
    _add(_name, 0, (1, "dest"), None, 2)
for _name in ("Recv", "Irecv", "recv", "irecv"):
    _add(_name, 0, (1, "source"), None, 2)
for _name in ("barrier", "Barrier"):
    _add(_name, -1, None, None, None)
for _name in ("bcast", "Bcast"):
    _add(_name, 0, None, 1, None)
for _name in ("allreduce", "Allreduce"):
    _add(_name, 0, None, None, None)
_add("reduce", 0, None, 2, None)
_add("Reduce", 0, None, 3, None)


def profile_mpi_comm(communicator: Any, *, pickle_object_sizes: bool = False) -> ProfiledMPIComm:
    """Wrap a communicator of mpi4py. Sizes of pickled objects are -1 unless asked for: they are
    known only by pickling once more."""
    return ProfiledMPIComm(communicator, pickle_object_sizes=pickle_object_sizes)


# ---- all of mpi4py ----


class _Finder:
    """Calls `ready(module)` when mpi4py.MPI gets imported."""

    def __init__(self, ready: Any) -> None:
        self.ready = ready

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "mpi4py.MPI":
            return None
        from importlib.machinery import PathFinder

        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module
        ready = self.ready

        def exec_module(module: Any) -> None:
            execute(module)
            ready(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


@contextmanager
def profile_mpi4py(
    mpi_module: Any = None, *, pickle_object_sizes: bool = False, lazy: bool = False
) -> Iterator[None]:
    """MPI.COMM_WORLD and MPI.COMM_SELF record for as long as this lasts. `lazy`: from the moment
    that mpi4py gets imported, if it does. Take MPI.COMM_WORLD inside; what keeps an older
    reference is not recorded."""
    before: list[tuple[Any, Any, Any]] = []

    def swap(module: Any) -> None:
        if before or isinstance(module.COMM_WORLD, ProfiledMPIComm):
            return
        before.append((module, module.COMM_WORLD, module.COMM_SELF))
        module.COMM_WORLD = profile_mpi_comm(
            module.COMM_WORLD, pickle_object_sizes=pickle_object_sizes
        )
        module.COMM_SELF = profile_mpi_comm(
            module.COMM_SELF, pickle_object_sizes=pickle_object_sizes
        )

    finder: Any = None
    if mpi_module is None:
        mpi_module = sys.modules.get("mpi4py.MPI")
    if mpi_module is not None:
        swap(mpi_module)
    elif lazy:
        finder = _Finder(swap)
        sys.meta_path.insert(0, finder)
    else:
        from mpi4py import MPI

        swap(MPI)
    try:
        yield
    finally:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        for module, world, own in before:
            module.COMM_WORLD, module.COMM_SELF = world, own
