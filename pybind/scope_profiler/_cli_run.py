"""`scope-profiler run`: a script as __main__, its regions recorded."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from types import TracebackType
    from typing import Any


def _parser() -> ArgumentParser:
    import argparse

    parser = argparse.ArgumentParser(
        prog="scope-profiler run",
        description="Run a script and record its regions.",
        usage="scope-profiler run [options] script [arguments of the script]",
    )
    add = parser.add_argument
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "-o",
        "--outfile",
        metavar="FILE",
        help="profile to write (profiling_data.h5); .json or .json.gz for JSON",
    )
    output.add_argument("--no-output", action="store_true", help="write no file")
    add("--config", metavar="FILE", help="TOML file with settings")
    add("-q", "--quiet", action="store_true", help="print no summary")
    add(
        "--recursive",
        action="store_true",
        default=None,
        help="also record every function of the script's own code",
    )
    add(
        "--no-recursive",
        action="store_false",
        dest="recursive",
        help="do not, whatever the TOML file says",
    )
    add(
        "--include",
        action="append",
        default=[],
        metavar="GLOB",
        help="of those, only functions with such a name; may be repeated",
    )
    add(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="without functions with such a name; may be repeated",
    )
    add("--all", action="store_true", help="also functions of the standard library and packages")
    add("--entrypoint", metavar="NAME", help="record from the call of this function on")
    add(
        "--aggregation-mode",
        action="store_true",
        default=None,
        help="keep sums per region, no single calls",
    )
    add("--label", help="name of the run")
    add(
        "--tag",
        action="append",
        metavar="TAG",
        help="only regions that have this tag; may be repeated",
    )
    add(
        "--enable-tag",
        action="append",
        metavar="TAG",
        help="also regions behind this opt-in tag, '*' for all; may be repeated",
    )
    calls = parser.add_mutually_exclusive_group()
    calls.add_argument(
        "--mpi-calls", action="store_true", default=None, help="record the MPI calls of mpi4py"
    )
    calls.add_argument("--no-mpi-calls", action="store_false", dest="mpi_calls")
    old = parser.add_argument_group("for scripts written for 0.7").add_argument
    old("--line-profile", action="store_true", help="also time lines (not in this version)")
    old(
        "--memory-profile",
        action="store_true",
        help="also record allocations (not in this version)",
    )
    old("--buffer-limit", type=int, metavar="N", help="accepted; buffers grow by themselves")
    add("script")
    add("script_args", nargs=argparse.REMAINDER)
    return parser


def _settings(options: Namespace) -> dict[str, Any]:
    """What setup() is given: only what the command line says."""
    said = {
        "file_path": options.outfile,
        "config_path": options.config,
        "buffer_limit": options.buffer_limit,
        "aggregation_mode": options.aggregation_mode,
        "label": options.label,
        "region_tags": options.tag,
        "enable_tags": options.enable_tag,
        "profile_mpi_calls": options.mpi_calls,
        "use_line_profiler": options.line_profile or None,
        "use_memray": options.memory_profile or None,
        "deactivate_file_output": options.no_output or None,
        "recursive_profile": options.recursive,
    }
    return {name: value for name, value in said.items() if value is not None}


def _refuse(error: object, code: int) -> int:
    print(f"scope-profiler run: {error}", file=sys.stderr)
    return code


def run_command(argv: list[str]) -> int:
    """Exit code: the script's own; 1 where the script or the output's folder is not there,
    2 where a setting is refused. The file is written also where the script fails."""
    options = _parser().parse_args(argv)
    words = options.script_args
    if words[:1] == ["--"]:
        words = words[1:]
    if not os.path.exists(options.script):
        return _refuse(f"can't open file {options.script!r}", 1)
    folder = os.path.dirname(os.path.abspath(options.outfile or "."))
    if options.outfile and not os.path.isdir(folder):
        return _refuse(f"cannot write {options.outfile}: there is no folder {folder}", 1)
    from .manager import ProfileManager

    try:
        started = ProfileManager.setup(**_settings(options))
    except NotImplementedError as error:
        return _refuse(error, 2)
    except (OSError, TypeError, ValueError) as error:
        return _refuse(error, 1)
    try:
        code = _run(ProfileManager, options, words)
        _wait_for_threads()
    except KeyboardInterrupt:
        code = 130
    finally:
        written = _finish(ProfileManager, started, options.quiet)
    return code or written


def _run(manager: Any, options: Namespace, words: list[str]) -> int:
    """The script; a failure is reported as Python reports it, without our own frames."""
    recursive = options.recursive or options.all or options.entrypoint is not None
    if options.recursive is None and not recursive:
        recursive = bool(manager.get_config().recursive_profile)
    try:
        manager.run_script(
            options.script,
            words,
            only_user_code=not options.all,
            recursive=recursive,
            include_patterns=tuple(options.include),
            exclude_patterns=tuple(options.exclude),
            entrypoint=options.entrypoint,
        )
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        traceback = _of_script(error.__traceback__, options.script)
        sys.excepthook(type(error), error.with_traceback(traceback), traceback)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _wait_for_threads() -> None:
    """As Python does at exit: threads that are no daemons finish, and are recorded."""
    if "threading" not in sys.modules:
        return
    import threading

    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()


def _of_script(traceback: TracebackType | None, script: str) -> TracebackType | None:
    """The part of a traceback that begins in the script; all of it if it never got there."""
    path, part = os.path.abspath(script), traceback
    while part is not None and os.path.abspath(part.tb_frame.f_code.co_filename) != path:
        part = part.tb_next
    return traceback if part is None else part


def _finish(manager: Any, started: Any, quiet: bool) -> int:
    """Write the file, unless the script did: each finalize would replace it with what came
    since the one before, and a setup of the script's own has a file of its own."""
    if not started.is_active:
        return 0
    new = any(region.ptr for region in manager.get_all_regions().values())
    if manager._engine.finalized and not new:
        return 0
    try:
        manager.finalize(verbose=not quiet)
    except (OSError, RuntimeError, ValueError) as error:
        return _refuse(error, 1)
    return 0
