"""What command lines are made of: ranks and file patterns; the exports under one name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

__all__ = [
    "expand_file_patterns",
    "export_chrome_trace",
    "export_json",
    "export_main",
    "export_prof",
    "export_speedscope",
    "main",
    "parse_ranks",
    "read_profile",
]

_ELSEWHERE = {
    "export_chrome_trace": "chrome_trace_export",
    "export_json": "json_export",
    "export_prof": "prof_export",
    "export_speedscope": "speedscope_export",
    "read_profile": "profile_io",
}


def __getattr__(name: str) -> Any:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"scope_profiler.{_ELSEWHERE[name]}"), name)


def parse_ranks(spec: str, verbose: bool = False) -> list[int]:
    """ "0,2,5-7" or "0 2 5-7" as [0, 2, 5, 6, 7]. ValueError: not ranks."""
    ranks: list[int] = []
    for part in spec.replace(",", " ").split():
        low, dash, high = part.partition("-")
        try:
            first, last = int(low), int(high) if dash else int(low)
        except ValueError:
            raise ValueError(f"{part!r} is not a rank or a range of ranks such as 0-3") from None
        if last < first:
            raise ValueError(f"the range of ranks {part!r} ends before it starts")
        ranks += range(first, last + 1)
    if verbose:
        print(f"Ranks: {ranks}")
    return list(dict.fromkeys(ranks))


def expand_file_patterns(file_args: list[str], parser: argparse.ArgumentParser) -> list[str]:
    """Files, patterns such as run_*.h5 resolved; parser.error() for one without a file."""
    import glob
    import os

    files: list[str] = []
    for argument in file_args:
        found = [argument] if os.path.exists(argument) else sorted(glob.glob(argument))
        if not found:
            parser.error(f"there is no file {argument}")
        files += found
    return list(dict.fromkeys(files))


def export_main(argv: list[str] | None = None) -> Any:
    """`scope-profiler export`."""
    import sys

    from .cli import main as command

    return command(["export", *(sys.argv[1:] if argv is None else argv)])


def main(argv: list[str] | None = None) -> None:
    """`scope-profiler plot`: not in this version."""
    raise NotImplementedError("plots are not part of this version of scope-profiler")
