"""Whole programs: a script in this process, a command in a new one."""

from __future__ import annotations

import os
import sys

from . import _source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from subprocess import CompletedProcess
    from typing import Any

    from ._engine import Engine
    from .manager import ProfileManager
    from .results import ProfilingResults


def run_script(
    engine: Engine,
    script_path: str,
    script_args: list[str] | None,
    region_name: str | None,
    only_user_code: bool,
    recursive: bool,
    include_patterns: Sequence[str],
    exclude_patterns: Sequence[str],
    entrypoint: str | None,
) -> None:
    """The script as __main__, with sys.argv and sys.path as Python sets them for it."""
    import runpy

    path = os.path.abspath(os.fspath(script_path))
    if not os.path.exists(path):
        raise FileNotFoundError(2, "no such script", path)
    before = sys.argv, sys.path[:]
    sys.argv = [path, *(script_args or ())]
    sys.path.insert(0, os.path.dirname(path))
    try:
        if not recursive:
            runpy.run_path(path, run_name="__main__")
            return
        from ._recursive import Tracer

        tracer = Tracer(
            engine,
            only_user_code=only_user_code,
            include=include_patterns,
            exclude=exclude_patterns,
            entrypoint=entrypoint,
        )
        root = engine.region(region_name or os.path.basename(path), source=_source.UNKNOWN)
        with root:
            tracer.start()
            try:
                runpy.run_path(path, run_name="__main__")
            finally:
                tracer.stop()
    finally:
        sys.argv, sys.path[:] = before


def profile_script(
    manager: type[ProfileManager],
    script_path: Any,
    script_args: list[str] | None,
    output: Any,
    settings: dict[str, Any],
) -> ProfilingResults | None:
    """The script in a run of its own; what it found, also where it raises."""
    if output is not None:
        settings = dict(settings, output=output)
    run = manager.setup(**settings)
    recursive = manager.get_config().recursive_profile
    try:
        manager.run_script(os.fspath(script_path), script_args, recursive=recursive)
    finally:
        run.finalize(verbose=False, return_results=True)
    return run.results


def profile_command(
    command: Sequence[str], output: Any, recursive: bool, all: bool, mpi_calls: bool
) -> CompletedProcess[Any]:
    """`python -m scope_profiler run` of the command, which may begin with this Python."""
    import subprocess

    from .profile_io import read_profile

    words = [command] if isinstance(command, str) else [os.fspath(word) for word in command]
    if not words:
        raise ValueError("profile_command() needs a script to run")
    python = sys.executable
    if os.path.basename(words[0]).startswith("python") and len(words) > 1:
        python, words = words[0], words[1:]
    path = os.fspath(output) if output is not None else "profiling_data.h5"
    line = [python, "-m", "scope_profiler", "run", "-q", "-o", path]
    for wanted, flag in ((recursive, "--recursive"), (all, "--all"), (mpi_calls, "--mpi-calls")):
        if wanted:
            line.append(flag)
    done = subprocess.run([*line, *words], check=False)
    found = done.returncode == 0 and os.path.exists(path)
    done.profile_results = read_profile(path) if found else None  # type: ignore[attr-defined]
    return done
