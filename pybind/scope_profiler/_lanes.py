"""Hooks that make threads, asyncio tasks and greenlets lanes of the sessions that track them.

    install(session)      at setup
    uninstall(session)    at a session's exit, at the next setup, at reset

Sessions are counted: hooks go in with the first and come out with the last, and what was
there before is back. Whoever replaced a hook in between keeps it; ours then only forwards.
asyncio and greenlet are imported when the first session that tracks tasks comes.
"""

from __future__ import annotations

import _thread
import os
import sys
import weakref
from collections.abc import Callable

from . import _record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# 3.12 names a task after it was made, when an eager one may be over.
_NAMES_LATE = sys.version_info[:2] == (3, 12)

_lock = _thread.RLock()  # a session may be collected while we hold it
_owners: dict[int, tuple[weakref.ref[Any], int]] = {}  # id of a session: it, and its lanes
_patches: list[tuple[type, str, Any, Any, bool]] = []  # class, name, ours, before, was its own
_factories: list[tuple[weakref.ref[Any], Any, Any]] = []  # loop, ours, before
_has_greenlets = False
_finder: Any = None  # waits for an import of uvloop
_knows_forks = False
trackers: weakref.WeakSet[Any] = weakref.WeakSet()  # told of ends and forks
_inherited: list[weakref.ref[Any]] = []  # sessions of the parent, in a forked child


def install(session: _record.Session) -> None:
    """Follow the lanes that the session tracks. Twice is once."""
    lanes = session.lanes
    key = id(session)
    with _lock:
        known = _owners.get(key)
        if lanes == _record.UNTRACKED or (known and known[0]() is session):
            return
        _expect_forks()
        _record.install_threads()

        def dropped(_: Any, drop: Any = _drop) -> None:
            drop(key)

        _owners[key] = weakref.ref(session, dropped), lanes
        if lanes == _record.TASKS and _count_async() == 1:
            _install_async()
        _record.lanes_started()


def uninstall(session: _record.Session) -> None:
    """The session's lanes are followed no more. One that is not installed is ignored."""
    known = _owners.get(id(session))
    if known and known[0]() is session:
        for tracker in list(trackers):
            tracker._session_ends(session)
        _drop(id(session))


def instrument_loop(loop: Any) -> None:
    """Follow the tasks of a loop that is not made from BaseEventLoop or uvloop.Loop: in its
    class where that can be changed, else by a task factory around the one it has."""
    with _lock:
        kind = type(loop)
        if any(kind.create_task is ours for _, name, ours, _, _ in _patches):
            return
        if any(known() is loop for known, _, _ in _factories):
            return
        _expect_forks()
        try:
            _patch(kind, "create_task", _create_task)
        except TypeError:
            _set_factory(loop)


def _count_async() -> int:
    return sum(lanes == _record.TASKS for _, lanes in _owners.values())


def _drop(key: int) -> None:
    with _lock:
        known = _owners.pop(key, None)
        if known is None:
            return
        _record.uninstall_threads()
        if known[1] == _record.TASKS and not _count_async():
            _uninstall_async()


# ---- asyncio, greenlet ----


def _install_async() -> None:
    global _has_greenlets
    from asyncio import base_events

    _patch(base_events.BaseEventLoop, "create_task", _create_task)
    _patch(base_events.BaseEventLoop, "run_forever", _run_forever)
    if "uvloop" in sys.modules:
        _patch_uvloop(sys.modules["uvloop"])
    else:
        _expect_uvloop()
    try:
        _record.install_greenlets()
    except ImportError:
        return
    _has_greenlets = True


def _uninstall_async() -> None:
    global _has_greenlets, _finder
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    _finder = None
    while _patches:
        kind, name, ours, before, was_own = _patches.pop()
        if kind.__dict__.get(name) is not ours:
            continue
        if was_own:
            setattr(kind, name, before)
        else:
            delattr(kind, name)
    while _factories:
        known, factory, previous = _factories.pop()
        loop = known()
        if loop is not None and loop.get_task_factory() is factory:
            loop.set_task_factory(previous)
    if _has_greenlets:
        _record.uninstall_greenlets()
        _has_greenlets = False


def _patch(kind: type, name: str, make: Callable[[Any], Any]) -> None:
    before = getattr(kind, name)
    ours = make(before)
    for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(ours, attribute, getattr(before, attribute, None))
    ours.__wrapped__ = before
    was_own = name in kind.__dict__
    setattr(kind, name, ours)
    _patches.append((kind, name, ours, before, was_own))


def _create_task(before: Any) -> Any:
    from asyncio import iscoroutine

    wrap, name_task = _record.wrap_coroutine, _record.name_task

    def create_task(self: Any, coro: Any, **kwargs: Any) -> Any:
        if not iscoroutine(coro):
            return before(self, coro, **kwargs)  # it says what is wrong
        wrapped = wrap(coro)
        task = before(self, wrapped, **kwargs)
        if wrapped is not coro:
            if _NAMES_LATE and task.done():
                self.call_soon(name_task, wrapped, task)
            else:
                name_task(wrapped, task)
            if self.get_debug():
                _forget_own_frame(task)
        return task

    return create_task


def _forget_own_frame(task: Any) -> None:
    """A task's source traceback ends where the application made it."""
    trace = getattr(task, "_source_traceback", None)
    if trace and trace[-1].filename == __file__:
        del trace[-1]


def _run_forever(before: Any) -> Any:
    def run_forever(self: Any) -> None:
        before(self)

    return run_forever


def _set_factory(loop: Any) -> None:
    from asyncio import Task

    previous = loop.get_task_factory()
    wrap, name_task = _record.wrap_coroutine, _record.name_task

    def factory(loop: Any, coro: Any, **kwargs: Any) -> Any:
        if kwargs.get("name", "") is None:
            del kwargs["name"]  # 3.13.0 would call the task "None"
        wrapped = wrap(coro)
        if previous is None:
            task: Any = Task(wrapped, loop=loop, **kwargs)
        else:
            task = previous(loop, wrapped, **kwargs)
        name_task(wrapped, task)
        return task

    loop.set_task_factory(factory)
    _factories.append((weakref.ref(loop), factory, previous))


def _patch_uvloop(module: Any) -> None:
    loop = getattr(module, "Loop", None)
    if isinstance(loop, type):
        try:
            _patch(loop, "create_task", _create_task)
        except (AttributeError, TypeError):
            pass  # instrument_loop() is left


class _Finder:
    """Patches uvloop once it is imported; finds nothing itself."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "uvloop" or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            execute(module)
            with _lock:
                if _count_async():
                    _patch_uvloop(module)

        try:
            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        except AttributeError:
            pass
        return spec


def _expect_uvloop() -> None:
    global _finder
    _finder = _Finder()
    sys.meta_path.insert(0, _finder)


# ---- fork ----


def is_inherited(session: _record.Session) -> bool:
    """Whether the session's lanes are those of the process that this one was forked from."""
    return any(known() is session for known in _inherited)


def _expect_forks() -> None:
    global _knows_forks
    if not _knows_forks:
        _knows_forks = True
        os.register_at_fork(after_in_child=_stand_down)


def _stand_down() -> None:
    """A child of a session goes on without hooks, until it sets up one of its own."""
    global _lock
    _lock = _thread.RLock()  # another thread of the parent may have held it
    _record.lanes_forked()
    while _owners:
        _, (known, _) = _owners.popitem()
        _inherited.append(known)
        _record.uninstall_threads()
    _uninstall_async()
    for tracker in list(trackers):
        tracker._stand_down()
