"""What lets `import scope_profiler` cost nothing: names whose modules load when used."""

from __future__ import annotations

import sys


def where(modules: dict[str, str]) -> dict[str, str]:
    """name -> its module, from module -> names."""
    return {name: module for module, names in modules.items() for name in names.split()}


def load(module: str, name: str) -> object:
    """One name of a module, which is imported for it."""
    __import__(module)
    return getattr(sys.modules[module], name)


def version() -> str:
    """Of the installed distribution; "unknown" outside of one."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("scope-profiler")
    except PackageNotFoundError:
        return "unknown"
