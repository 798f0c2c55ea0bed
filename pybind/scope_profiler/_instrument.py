"""`instrument`: decorate what a module or class has."""

from __future__ import annotations

from types import FunctionType

from . import _decorate, _source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._engine import Engine


def instrument(
    engine: Engine,
    module: Any,
    include: str | Sequence[str],
    exclude: str | Sequence[str],
    prefix: str | None,
    tags: Any,
) -> dict[str, Any]:
    """Functions become decorated ones, regions `<prefix or module>.<name>`; those decorated
    already stay. TypeError: neither a module nor a class."""
    from fnmatch import fnmatchcase

    if not hasattr(module, "__dict__"):
        raise TypeError(
            f"instrument() takes a module or a class, not {type(module).__name__} {module!r}"
        )
    includes = (include,) if isinstance(include, str) else tuple(include)
    excludes = (exclude,) if isinstance(exclude, str) else tuple(exclude)
    owner = prefix if prefix is not None else getattr(module, "__name__", type(module).__name__)
    wrapped = {}
    for name, value in list(vars(module).items()):
        if not isinstance(value, FunctionType) or _is_ours(value):
            continue
        if not any(fnmatchcase(name, pattern) for pattern in includes):
            continue
        if any(fnmatchcase(name, pattern) for pattern in excludes):
            continue
        made = _decorate.wrap(engine, value, f"{owner}.{name}", tags=tags)
        setattr(module, name, made)
        wrapped[name] = made
    return wrapped


def _is_ours(function: FunctionType) -> bool:
    return function.__code__.co_filename.startswith(_source.PACKAGE)
