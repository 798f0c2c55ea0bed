"""Metadata scopes: intervals over the whole process, joined to calls by one sweep.

A call gets the values of every scope that it lies wholly inside; of two scopes the one
that began later wins. Dicts are kept by reference and may hold any object. Scopes are timed
by the clock of the calls, so that no error of a conversion comes between the two.
"""

from __future__ import annotations

from ._record import ticks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._engine import Engine

OPEN = (1 << 63) - 1  # the end, in ticks or ns, of a scope that goes on
_KEPT = 10_000  # ended scopes that a manager keeps after its session


class Scope:
    """One `with metadata(...)`; entered once at a time."""

    __slots__ = ("_engine", "values", "begin", "end", "_open")

    def __init__(self, engine: Engine | None, values: dict[str, Any]) -> None:
        self._engine = engine
        self.values = values
        self.begin = 0
        self.end = OPEN
        self._open: list[Scope] = []

    def __enter__(self) -> None:
        engine = self._engine
        if engine is None or not engine.active:
            return
        if engine.config is not None and engine.config.aggregation_mode:
            raise RuntimeError(
                "scoped metadata requires per-call data and cannot be used in aggregation mode"
            )
        run = engine.run
        if run is not None and run.is_over:
            bound(engine.scopes)
        scope = Scope(None, self.values)
        self._open.append(scope)
        scope.begin = ticks()
        engine.scopes.append(scope)

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if self._open:
            self._open.pop().end = ticks()


class Joined:
    """A metadata scope, if there is one, and a region in it: entered and left together."""

    __slots__ = ("_scope", "_region")

    def __init__(self, scope: Scope | None, region: Any) -> None:
        self._scope, self._region = scope, region

    def __enter__(self) -> None:
        if self._scope is None:
            self._region.__enter__()
            return
        self._scope.__enter__()
        try:
            self._region.__enter__()
        except BaseException:
            self._scope.__exit__(None, None, None)
            raise

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        try:
            self._region.__exit__(kind, value, traceback)
        finally:
            if self._scope is not None:
                self._scope.__exit__(kind, value, traceback)


def prune(scopes: list[Scope], before: int) -> None:
    """Forget scopes that ended before a written cut: no later call lies inside them."""
    scopes[:] = [scope for scope in scopes if scope.end >= before]


def bound(scopes: list[Scope]) -> None:
    """Keep the latest scopes of a manager whose session is over."""
    if len(scopes) > 2 * _KEPT:
        del scopes[:_KEPT]


def join(
    scopes: list[Scope], start_ns: Any, duration_ns: Any, times: Callable[[Any], Any]
) -> list[dict[str, Any]] | None:
    """The merged values of each call, in the order given; None: no call has any.
    `times`: ticks as ns (_read.Cursor.times)."""
    if not scopes or not len(start_ns):
        return None
    import numpy

    starts = numpy.asarray(start_ns)
    ends = starts + numpy.asarray(duration_ns)
    found: list[tuple[Any, list[dict[str, Any]], list[Scope]]] = []
    for family in _families(sorted(scopes, key=lambda scope: scope.begin)):
        where = _innermost(family, starts, ends, times, numpy)
        if (where >= 0).any():
            found.append((where, _merged(family), family))
    if not found:
        return None
    if len(found) == 1:
        where, merged, _ = found[0]
        merged.append({})  # where -1 points to
        return [merged[index] for index in where.tolist()]
    joined = []
    for row in zip(*(where.tolist() for where, _, _ in found)):
        hits = [(found[i][2][k].begin, found[i][1][k]) for i, k in enumerate(row) if k >= 0]
        values: dict[str, Any] = {}
        for _, more in sorted(hits, key=lambda hit: hit[0]):
            values.update(more)
        joined.append(values)
    return joined


def as_json(values: Sequence[dict[str, Any]]) -> str:
    """The values of a region's calls as JSON text, "" where no call has any."""
    if not any(values):
        return ""
    import json

    try:
        return json.dumps(values, default=plain)
    except (TypeError, ValueError, RecursionError):  # keys that are no str, a dict inside itself
        return json.dumps([{str(key): _shown(one[key]) for key in one} for one in values])


def plain(value: Any) -> Any:
    """What JSON has no form for: numpy's numbers and arrays as numbers and lists, else repr."""
    as_list = getattr(value, "tolist", None)
    return as_list() if callable(as_list) else _shown(value)


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # somebody's __repr__: no reason to lose a profile
        return object.__repr__(value)


def _families(ordered: list[Scope]) -> list[list[Scope]]:
    """Scopes in families in which any two nest or are apart: one per thread or task that
    holds scopes at the same time."""
    families: list[list[Scope]] = []
    stacks: list[list[Scope]] = []
    for scope in ordered:
        for family, stack in zip(families, stacks):
            while stack and stack[-1].end < scope.begin:
                stack.pop()
            if not stack or scope.end <= stack[-1].end:
                break
        else:
            family = []
            stack = []
            families.append(family)
            stacks.append(stack)
        family.append(scope)
        stack.append(scope)
    return families


def _parents(family: list[Scope]) -> list[int]:
    parents: list[int] = []
    stack: list[int] = []
    for index, scope in enumerate(family):
        while stack and family[stack[-1]].end < scope.begin:
            stack.pop()
        parents.append(stack[-1] if stack else -1)
        stack.append(index)
    return parents


def _innermost(
    family: list[Scope], starts: Any, ends: Any, times: Callable[[Any], Any], numpy: Any
) -> Any:
    """The innermost scope around each call, -1 none: the last that began before it, or the
    nearest around that one that ends after the call."""
    count = len(family)
    ticks = numpy.array([scope.begin for scope in family] + [scope.end for scope in family])
    ns = numpy.where(ticks == OPEN, OPEN, numpy.asarray(times(ticks)))
    begins, stops = ns[:count], numpy.append(ns[count:], OPEN)
    parents = numpy.array([*_parents(family), -1], dtype=numpy.int64)
    where = numpy.searchsorted(begins, starts, side="right") - 1
    while True:
        outside = (where >= 0) & (stops[where] < ends)
        if not outside.any():
            return where
        where = numpy.where(outside, parents[where], where)


def _merged(family: list[Scope]) -> list[dict[str, Any]]:
    """The values of each scope with those around it."""
    merged: list[dict[str, Any]] = []
    for scope, parent in zip(family, _parents(family)):
        merged.append({**merged[parent], **scope.values} if parent >= 0 else scope.values)
    return merged
