"""`profile`: a function, each call of it one call of a region; `instrument`: all of a module.

Plain functions, generator functions and async generator functions get a C wrapper (of a
generator the creating call is timed); a coroutine function gets a coroutine function. What
happens per call beside that (values, outcome, recursion) is Python and costs a frame.
"""

from __future__ import annotations

from types import FunctionType

from . import _record, _source
from ._scopes import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._engine import Engine

_COROUTINE = 0x80  # inspect.CO_COROUTINE
_METHOD = type((lambda self: None).__get__(0))  # a bound method


def profile(
    engine: Engine,
    region_name: Any,
    recursive: bool | None,
    metadata: Any,
    record_outcome: bool,
    tags: Any,
) -> Any:
    """The decorator, or with a function as `region_name` the function decorated."""
    if metadata is not None and not callable(metadata) and not _is_mapping(metadata):
        raise TypeError(
            f"metadata is a dict or a callable that returns one, not {type(metadata).__name__}"
        )

    def decorator(function: Any) -> Any:
        name = region_name if isinstance(region_name, str) else None
        return wrap(engine, function, name, recursive, metadata, record_outcome, tags)

    if region_name is None or isinstance(region_name, str):
        return decorator
    return decorator(region_name)


def wrap(
    engine: Engine,
    function: Any,
    name: str | None = None,
    recursive: bool | None = None,
    metadata: Any = None,
    record_outcome: bool = False,
    tags: Any = None,
) -> Any:
    """`function` profiled. TypeError: not a function."""
    if isinstance(function, (staticmethod, classmethod)):
        kind = type(function).__name__
        raise TypeError(f"profile() decorates functions: put @{kind} over @profile, not under it")
    if isinstance(function, type) or not callable(function):
        what = "a class" if isinstance(function, type) else repr(function)
        raise TypeError(f"profile() decorates functions, not {what}")
    code = _source.code_of(function)
    named = name or str(getattr(function, "__name__", type(function).__name__))
    engine.decorate(named, tags, code)

    is_coroutine = is_coroutine_function(function)
    traced = False if is_coroutine else recursive  # its steps interleave with other code

    def resolve() -> _record.Region | None:
        return engine.decorated_region(named, traced)

    if metadata is None and not record_outcome:
        if not is_coroutine and named_by_type(function):
            return dressed(_function(engine, function, resolve, None, False), function)
        if not is_coroutine:
            return _record.Profiled(function, resolve)
        return dressed(_coroutine(engine, function, resolve, None, False), function)
    make = _coroutine if is_coroutine else _function
    return dressed(make(engine, function, resolve, metadata, record_outcome), function)


def named_by_type(function: Callable[..., Any]) -> bool:
    """A class makes these methods class or static ones, if they are functions of Python."""
    name = getattr(function, "__name__", "")
    return name in ("__init_subclass__", "__class_getitem__", "__new__")


def _function(
    engine: Engine,
    function: Callable[..., Any],
    resolve: Callable[[], _record.Region | None],
    metadata: Any,
    record_outcome: bool,
) -> Callable[..., Any]:
    def profiled(*args: Any, **kwargs: Any) -> Any:
        region = resolve()
        if region is None:
            return function(*args, **kwargs)
        values = _values(metadata, args, kwargs)
        with Scope(engine, values), region:
            if not record_outcome:
                return function(*args, **kwargs)
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                values.update(status="error", exception=type(error).__name__)
                raise
            values["status"] = "ok"
            return result

    return profiled


def _coroutine(
    engine: Engine,
    function: Callable[..., Any],
    resolve: Callable[[], _record.Region | None],
    metadata: Any,
    record_outcome: bool,
) -> Callable[..., Any]:
    """Where tasks are tracked a call spans the first step to the return, else it is the
    creation of the coroutine: interleaved tasks of one stack would not nest."""

    async def profiled(*args: Any, **kwargs: Any) -> Any:
        region = resolve()
        if region is None:
            return await function(*args, **kwargs)
        config = engine.config
        whole = config is not None and config.track_async
        if metadata is None and not record_outcome:
            if whole:
                with region:
                    return await function(*args, **kwargs)
            with region:
                coroutine = function(*args, **kwargs)
            return await coroutine
        values = _values(metadata, args, kwargs)
        if not whole:
            with Scope(engine, values), region:
                coroutine = function(*args, **kwargs)
                if record_outcome:
                    values["status"] = "ok"
            return await coroutine
        with Scope(engine, values), region:
            try:
                result = await function(*args, **kwargs)
            except BaseException as error:
                if record_outcome:
                    values.update(status="error", exception=type(error).__name__)
                raise
            if record_outcome:
                values["status"] = "ok"
            return result

    return profiled


def _values(metadata: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    if metadata is None:
        return {}
    found = metadata(*args, **kwargs) if callable(metadata) else metadata
    if not _is_mapping(found):
        raise TypeError(f"metadata must return a mapping, not {type(found).__name__}")
    return dict(found)


def is_coroutine_function(function: Any) -> bool:
    """As inspect.iscoroutinefunction, which is not imported for it."""
    while isinstance(function, _METHOD):
        function = function.__func__
    code = getattr(function, "__code__", None)
    return code is not None and bool(code.co_flags & _COROUTINE)


def _is_mapping(value: Any) -> bool:
    return hasattr(value, "keys") and hasattr(value, "__getitem__")


def dressed(shell: Any, function: Any) -> Any:
    """As functools.wraps, which is not imported for it."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        try:
            setattr(shell, name, getattr(function, name))
        except (AttributeError, NameError):  # an annotation that cannot be evaluated yet
            pass
    shell.__dict__.update(getattr(function, "__dict__", {}))
    shell.__wrapped__ = function
    return shell


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
        made = wrap(engine, value, f"{owner}.{name}", tags=tags)
        setattr(module, name, made)
        wrapped[name] = made
    return wrapped


def _is_ours(function: FunctionType) -> bool:
    return function.__code__.co_filename.startswith(_source.PACKAGE)
