"""The command line: `scope-profiler`, also `python -m scope_profiler`.

Exit codes: 0; 1 a script that failed, or a check that found a regression; 2 what was asked
for cannot be done (unknown option, no such file). `run` ends as the script ends.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

_SUMMARY = {
    "run": "run a script and profile it",
    "export": "write a profile in the format of another viewer",
    "import-native": "join traces of C and Fortran programs into one profile",
    "inspect": "print a profile's metadata and region statistics",
    "diff": "compare two profiles region by region",
    "check": "fail where a region got slower than a budget allows",
}
_LATER = {
    "plot": "plots",
    "report": "the HTML report",
    "catalogue": "the index of HTML reports",
    "site": "web sites of profiles",
    "tui": "the terminal viewer",
    "line-profile": "line profiles",
    "benchmark": "the benchmark runner",
    "native-lines": "sampled source lines",
}
_EXPORTS = {
    "speedscope": ("profile.speedscope.json", "https://www.speedscope.app opens {}"),
    "chrome-trace": ("profile.trace.json", "https://ui.perfetto.dev opens {}"),
    "prof": ("profile.prof", "python -m pstats {} reads it; so does snakeviz"),
    "json": ("profile.json", "scope-profiler inspect {} reads it"),
}
_EXPORTS_LATER = {"flamegraph": "SVG flame graphs", "plot-data": "the data behind plots"}


def main(argv: list[str] | None = None) -> int:
    """Run a command; its exit code. SystemExit where argparse ends it."""
    import argparse

    words = list(sys.argv[1:] if argv is None else argv)
    width = max(map(len, _SUMMARY)) + 2
    parser = argparse.ArgumentParser(
        prog="scope-profiler",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Profile Python programs by region, and look at the profiles.",
        epilog="commands:\n"
        + "\n".join(f"  {name.ljust(width)}{text}" for name, text in _SUMMARY.items())
        + "\n\nscope-profiler COMMAND --help tells more.",
    )
    from . import __version__

    parser.add_argument("--version", action="version", version=f"scope-profiler {__version__}")
    parser.add_argument("command", choices=[*_SUMMARY, *_LATER], metavar="COMMAND")
    if not words:
        parser.print_help()
        return 1
    command = parser.parse_args(words[:1]).command
    if command in _LATER:
        return _not_there(f"scope-profiler {command}", _LATER[command])
    handler: Callable[[list[str]], int] = {
        "run": run,
        "export": export,
        "import-native": import_native,
        "inspect": inspect,
        "diff": diff,
        "check": check,
    }[command]
    try:
        return handler(words[1:])
    except BrokenPipeError:  # `| head` has seen enough
        sys.stdout = None  # type: ignore[assignment, unused-ignore]
        return 1


def _not_there(what: str, mode: str) -> int:
    print(f"{what}: this version of scope-profiler does not have {mode}", file=sys.stderr)
    return 2


def _parser(command: str, text: str) -> ArgumentParser:
    import argparse

    return argparse.ArgumentParser(prog=f"scope-profiler {command}", description=text)


def _failures() -> tuple[type[Exception], ...]:
    """What a command answers with its message and exit code 2."""
    import re

    return (OSError, ValueError, KeyError, RuntimeError, NotImplementedError, re.error)


def _fail(command: str, error: BaseException) -> int:
    text = error.args[0] if isinstance(error, KeyError) and error.args else error
    print(f"scope-profiler {command}: {text}", file=sys.stderr)
    return 2


def _filters(parser: ArgumentParser, one_each: bool = False) -> None:
    """--include, --exclude and --ranks, as the commands have them in common."""
    count = "*" if one_each else "+"
    parser.add_argument(
        "--include",
        "-i",
        nargs=count,
        metavar="REGEX",
        help="only regions whose name begins with a match of one of these",
    )
    parser.add_argument(
        "--exclude",
        "-e",
        nargs=count,
        metavar="REGEX",
        help="without regions whose name begins with a match of one of these",
    )
    parser.add_argument(
        "--ranks", "-r", nargs=count, metavar="RANKS", help="only these ranks: 0 2 or 0,2 or 0-3"
    )


def _ranks(options: Namespace) -> list[int] | None:
    from .post_processing import parse_ranks

    return None if options.ranks is None else parse_ranks(" ".join(options.ranks))


# ---- run ----


def run(argv: list[str]) -> int:
    """`run`: the exit code of the script."""
    from ._cli_run import run_command

    return run_command(argv)


# ---- export, import-native ----


def export(argv: list[str]) -> int:
    parser = _parser("export", "Write profiles in the format of another viewer.")
    parser.add_argument(
        "format",
        choices=[*_EXPORTS, *_EXPORTS_LATER],
        metavar="FORMAT",
        help=", ".join([*_EXPORTS, *_EXPORTS_LATER]),
    )
    kind = parser.parse_args(argv[:1]).format
    if kind in _EXPORTS_LATER:
        return _not_there(f"scope-profiler export {kind}", _EXPORTS_LATER[kind])
    parser = _parser(f"export {kind}", "Write profiles in the format of another viewer.")
    parser.add_argument("files", nargs="+", help="profiles, or patterns such as run_*.h5")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder to write to")
    parser.add_argument(
        "--label",
        action="append",
        metavar="NAME",
        help="a name for a file in the outputs; once per file, in their order",
    )
    _filters(parser, one_each=True)
    if kind == "prof":
        parser.add_argument(
            "--no-call-paths",
            action="store_true",
            help="one entry per region, not one per path of regions around it",
        )
    if kind == "json":
        parser.add_argument("--gzip", action="store_true", help="write profile.json.gz")
        parser.add_argument("--indent", type=int, metavar="N", help="indent by N spaces")
    options = parser.parse_args(argv[1:])
    from .post_processing import expand_file_patterns

    files = expand_file_patterns(options.files, parser)
    if options.label and len(options.label) != len(files):
        parser.error(f"{len(options.label)} labels were given for {len(files)} files")
    try:
        written = _write_exports(kind, files, options)
    except _failures() as error:
        return _fail(f"export {kind}", error)
    print("Outputs saved to:")
    for path in written:
        print(f"  {path}")
    if written:
        print("\n" + _EXPORTS[kind][1].format(written[0]))
    return 0


def _write_exports(kind: str, files: list[str], options: Namespace) -> list[Any]:
    from importlib import import_module

    from .profile_io import load

    runs = [load(path) for path in files]
    for results, label in zip(runs, options.label or ()):
        results.label = label
    name, extra = _EXPORTS[kind][0], {}
    if kind == "prof":
        extra["call_paths"] = not options.no_call_paths
    if kind == "json":
        extra["indent"] = options.indent
        name += ".gz" if options.gzip else ""
    modules = {
        "speedscope": "speedscope_export",
        "chrome-trace": "chrome_trace_export",
        "prof": "prof_export",
        "json": "json_export",
    }
    module = import_module(f"scope_profiler.{modules[kind]}")
    write = getattr(module, "export_" + kind.replace("-", "_"))
    return list(
        write(
            runs if len(runs) > 1 else runs[0],
            os.path.join(options.output, name),
            ranks=_ranks(options),
            include=options.include,
            exclude=options.exclude,
            verbose=False,
            **extra,
        )
    )


def import_native(argv: list[str]) -> int:
    parser = _parser(
        "import-native",
        "Join the per-rank files of C and Fortran programs "
        "(.spt traces, *_rank<N>.h5) into one profile.",
    )
    parser.add_argument("inputs", nargs="+", help="files, or folders that contain them")
    parser.add_argument("-o", "--output", default="profiling_data.h5", metavar="FILE")
    parser.add_argument("--label", help="name of the run; the stem of FILE if not given")
    parser.add_argument(
        "--merge",
        metavar="PROFILE",
        help="a profile of the same run to put them in, say of its Python side",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print no summary")
    options = parser.parse_args(argv)
    from .native_trace import load_traces, write_results

    try:
        stem = os.path.basename(options.output).partition(".")[0]
        results = load_traces(options.inputs, options.label or stem)
        if options.merge:
            from .profile_io import load
            from .results import merge_results

            results = merge_results(load(options.merge), results, label=options.label)
        path = write_results(results, options.output)
        if not options.quiet:
            from .profile_io import load

            load(path).print_summary()
    except _failures() as error:
        return _fail("import-native", error)
    return 0


# ---- inspect, diff, check ----


def inspect(argv: list[str]) -> int:
    from .summary import PERCENTAGE_MODES, REGION_TABLE_COLUMNS, SORT_KEYS

    parser = _parser("inspect", "Print metadata and region statistics of profiles.")
    parser.add_argument("files", nargs="+", help="profiles, or patterns such as run_*.h5")
    _filters(parser)
    parser.add_argument(
        "--sort", choices=SORT_KEYS, default="start", metavar="COLUMN", help=", ".join(SORT_KEYS)
    )
    parser.add_argument(
        "--columns",
        nargs="+",
        choices=REGION_TABLE_COLUMNS,
        metavar="COLUMN",
        default=["region", "calls", "percent", "total", "avg"],
        help=", ".join(REGION_TABLE_COLUMNS),
    )
    parser.add_argument("--percentage-mode", choices=PERCENTAGE_MODES, default="coverage")
    parser.add_argument("--full", action="store_true", help="print long metadata in full")
    parser.add_argument(
        "--source", nargs="+", metavar="REGION", help="print the stored source of these regions"
    )
    parser.add_argument(
        "--export-metadata", metavar="FILE", help="write the metadata of all files as JSON"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--metadata-only", action="store_true")
    only.add_argument("--regions-only", action="store_true")
    options = parser.parse_args(argv)
    from .inspection import collect_file_metadata, inspect_file
    from .post_processing import expand_file_patterns
    from .profile_io import load

    files = expand_file_patterns(options.files, parser)
    try:
        ranks = _ranks(options)
        runs = [load(path) for path in files]
        for results in runs if not options.quiet else ():
            inspect_file(
                results,
                options.include,
                options.exclude,
                ranks,
                options.sort,
                not options.regions_only,
                not options.metadata_only,
                options.full,
                options.source,
                options.columns,
                options.percentage_mode,
            )
        if options.export_metadata:
            import json

            with open(options.export_metadata, "w", encoding="utf-8") as file:
                json.dump(collect_file_metadata(runs), file, indent=2)
                file.write("\n")
            if not options.quiet:
                print(f"Wrote {options.export_metadata}")
    except _failures() as error:
        return _fail("inspect", error)
    return 0


def _two_files(parser: ArgumentParser) -> None:
    from ._compare import METRICS

    parser.add_argument("file_a", help="the profile to compare with (a)")
    parser.add_argument("file_b", help="the profile in question (b)")
    _filters(parser)
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="total",
        metavar="NAME",
        help=", ".join(METRICS) + "; total if not given",
    )


def _compared(options: Namespace) -> tuple[Any, Any, list[Any]]:
    from ._compare import compare
    from .profile_io import load

    a, b = load(options.file_a), load(options.file_b)
    return a, b, compare(a, b, options.metric, options.include, options.exclude, _ranks(options))


def diff(argv: list[str]) -> int:
    parser = _parser("diff", "Compare the region statistics of two profiles.")
    _two_files(parser)
    parser.add_argument("--sort", choices=("delta", "pct", "name"), default="delta")
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="PCT",
        help="only regions that changed by at least so many per cent",
    )
    options = parser.parse_args(argv)
    from ._compare import print_differences, sort_differences

    try:
        a, b, rows = _compared(options)
        if options.threshold is not None:
            rows = [
                row for row in rows if row.percent is None or abs(row.percent) >= options.threshold
            ]
        print(f"a: {a.default_title()}\nb: {b.default_title()}")
        print_differences(sort_differences(rows, options.sort), options.metric)
    except _failures() as error:
        return _fail("diff", error)
    return 0


def check(argv: list[str]) -> int:
    """`check`: 1 where a region is over the budget."""
    parser = _parser("check", "Fail where a region got slower than a budget allows.")
    _two_files(parser)
    parser.add_argument(
        "--max-regression",
        type=float,
        default=0.0,
        metavar="PCT",
        help="by how many per cent a region may grow (default: 0)",
    )
    parser.add_argument(
        "--fail-on-new",
        action="store_true",
        help="regions that the first file does not have count as slower",
    )
    options = parser.parse_args(argv)
    from ._compare import print_differences

    try:
        a, b, rows = _compared(options)
        over = [row.name for row in rows if row.beyond(options.max_regression, options.fail_on_new)]
        print(f"Baseline: {a.default_title()}\nCandidate: {b.default_title()}")
        print(f"Regression budget: {options.max_regression:+g}% ({options.metric})")
        print(f"Regression check: {'FAIL' if over else 'PASS'}")
        print_differences(rows, options.metric)
        if over:
            print(f"Budget violations: {', '.join(over)}")
    except _failures() as error:
        return _fail("check", error)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
