"""finalize: cut the recording here, and report what has finished.

cursor -> table -> metadata -> file -> checkpoint -> results. Under MPI all ranks do so together
(_ranks.py), and rank 0 has the results.
"""

from __future__ import annotations

import os
from time import perf_counter_ns

from . import _scopes, mpi_launch
from ._engine import turn
from ._files import ERR_ARGUMENT, is_json_path
from ._record import ticks

_FINISHED = 1  # scope_end_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import _read
    from ._engine import Engine, Run
    from .profile_config import ProfilingConfig
    from .results import ProfilingResults


def finalize(
    engine: Engine,
    verbose: bool = True,
    return_results: bool = False,
    native_traces: Any = None,
    verbose_line_profiler: bool = False,
) -> ProfilingResults | None:
    """As ProfileManager.finalize."""
    with turn:
        return _finalize(engine, verbose, return_results, native_traces)


def _finalize(
    engine: Engine, verbose: bool, return_results: bool, native_traces: Any
) -> ProfilingResults | None:
    run = engine.run
    if not engine.configured or run is None or run.is_off:
        return empty_results(engine) if return_results else None
    finalize_ns = perf_counter_ns()
    wanted = return_results or verbose
    if mpi_launch.job()[1] > 1:
        from ._ranks import finalize_together

        results = finalize_together(engine, run, finalize_ns, native_traces, wanted)
    else:
        results = _finalize_alone(engine, run, finalize_ns, native_traces, wanted)
    engine.finalized = True
    engine.last_results = results
    while run.warnings:  # the file is there: one that is an error costs nothing
        _warn(run.warnings.pop(0))
    if verbose and results is not None and results.is_root:
        try:
            results.print_summary()
        except (OSError, ValueError):
            pass  # stdout is closed, or nobody reads it: no reason to end a run
    return results if return_results else None


def _finalize_alone(
    engine: Engine, run: Run, finalize_ns: int, native_traces: Any, wanted: bool
) -> ProfilingResults | None:
    writes = not run.config.deactivate_file_output
    if writes:
        check_folder(run.target())
    table, values = take_table(engine, run, finalize_ns, native_traces)
    table = as_rank_0(table)
    if writes:
        write(run, table)
    mark_reported(engine, run, written=writes)
    return results_of(table, run, values) if wanted else None


def as_rank_0(table: _read.Table) -> _read.Table:
    """Alone, a process is rank 0, whatever its launcher called it."""
    from . import _read

    ranks = {row["rank"] for row in table.part("ranks")} - {0}
    return _read.place(table, 0, 1, (0, 0.0, 0, -1)) if ranks else table


def take_table(
    engine: Engine, run: Run, finalize_ns: int, native_traces: Any
) -> tuple[_read.Table, dict[str, list[dict[str, Any]]]]:
    """What this process has recorded and not yet written, with all that is known of it; and
    the values of calls as the objects that they are."""
    config, cursor = run.config, run.cursor()
    run.read_at = ticks()
    cursor.advance()
    regions = tuple(run.session.regions.values())
    run.read_exits = [(region, region.num_exits) for region in regions]
    order = [region.id for region in regions if region.id >= 0]
    table = cursor.table(order, engine.next_call_id)
    if native_traces is not None:
        from .native_trace import fold_in

        table = fold_in(table, native_traces)
    run.read_rows = len(table)
    run.warnings = _warnings_of(table, run)
    values: dict[str, list[dict[str, Any]]] = {}
    if config.aggregation_mode:
        table = table.aggregate(per_lane=config.aggregation_mode == "per_lane")
    else:
        values = _event_metadata(engine, table, cursor)
    return _described(table, run, finalize_ns, values), values


def empty_results(engine: Engine, is_root: bool = True) -> ProfilingResults:
    """The result of a run that recorded nothing, or of a rank that is not 0."""
    from . import _read
    from .results import from_table

    path = engine.config.file_path if engine.config is not None else ""
    empty = _read.Table({"regions": [], "pairs": []})
    return from_table(empty, file_path=path, is_root=is_root)


def check_folder(output: str) -> None:
    folder = os.path.dirname(os.path.abspath(output))
    if not os.path.isdir(folder):
        import errno

        raise FileNotFoundError(
            errno.ENOENT,
            "cannot write the profile: its folder does not exist; make it and finalize again, or "
            "set up with another output. The folder is",
            folder,
        )


def _warnings_of(table: _read.Table, run: Run) -> list[str]:
    """What the user should know of a table that is less than all calls, nested."""
    found, config = [], run.config
    if len(table) and not table.nests:
        if config.track_async:
            advice = "leave the regions of a task in reverse order of entry"
        elif config.track_threads:
            advice = "track_async=True records which task each call ran in"
        else:
            advice = "track_threads=True records which thread each call ran on"
        reason = table.nesting_error(0) or "calls overlap without nesting"
        found.append(f"call graph not recorded: {reason}. Timings are kept; {advice}")
    if config.aggregation_mode:
        return found
    dropped, run.dropped = run.session.dropped - run.dropped, run.session.dropped
    folded = sum(row["count"] for row in table.part("sums"))
    if dropped:
        found.append(
            f"{dropped} events did not fit into SCOPE_MAX_BYTES, or the disk: calls are missing"
        )
    if folded:
        found.append(
            f"{folded} calls are known as exact sums only, beyond SCOPE_MAX_BYTES: counts and "
            "totals have them, arrays of calls do not"
        )
    return found


def _warn(message: str) -> None:
    """A RuntimeWarning at the line of the program that finalized."""
    import sys
    import warnings

    from ._source import PACKAGE

    level, frame = 1, sys._getframe(0).f_back
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RuntimeWarning, stacklevel=level + 1)


def _event_metadata(
    engine: Engine, table: _read.Table, cursor: _read.Cursor
) -> dict[str, list[dict[str, Any]]]:
    """The values of each region's calls, for regions of which some call has any."""
    joined = _scopes.join(
        engine.scopes, table.column("start_ns"), table.column("duration_ns"), cursor.times
    )
    if joined is None:
        return {}
    names = table.part("regions")
    found = {}
    for pair in table.part("pairs"):
        of_pair = joined[pair["first"] : pair["first"] + pair["count"]]
        if any(of_pair):
            found[names[pair["region"]]] = of_pair
    return found


def _described(
    table: _read.Table,
    run: Run,
    finalize_ns: int,
    values: dict[str, list[dict[str, Any]]],
) -> _read.Table:
    """The table with what only Python knows: metadata, source texts, values of calls."""
    regions = run.session.regions
    start_ns = run.config.start_time_ns
    if run.session.adopted:  # C or MPI recorded before Python's setup
        start_ns = min(start_ns, table.part("start_time_ns"))
    facts = {**run.config.metadata, "start_time_ns": start_ns, "finalize_time_ns": finalize_ns}
    ranks = table.part("ranks")
    for row in ranks:
        row["end_kind"] = row["end_kind"] or _FINISHED
    replaced: dict[str, Any] = {
        "metadata": facts, "start_time_ns": start_ns, "end_time_ns": finalize_ns, "ranks": ranks,
    }  # fmt: skip
    if values or run.config.capture_region_source:
        names, pairs = table.part("regions"), table.part("pairs")
        for pair in pairs:
            name = names[pair["region"]]
            region = regions.get(name)
            if region is not None and region.source_text:
                pair["source_text"] = region.source_text
            if name in values:
                pair["event_metadata"] = _scopes.as_json(values[name])
        replaced["pairs"] = pairs
    return table.replace(**replaced)


def file_settings(config: ProfilingConfig) -> dict[str, Any]:
    """Of the HDF5 file, for _read.write_file and write_collective."""
    return {
        "compression": config.hdf5_compression,
        "level": config.hdf5_compression_level or 0,
        "chunk_size": config.hdf5_chunk_size or 0,
    }


def write(run: Run, table: _read.Table, output: str = "") -> None:
    """The file of this finalize, by this process alone; `output`: not the run's own."""
    from . import _read

    path = os.path.abspath(output or run.target())
    if not is_json_path(path):
        settings = file_settings(run.config)
        try:
            _read.write_file(path, table, **settings)
        except _read.FileError as error:
            if error.status != ERR_ARGUMENT or settings["compression"] != "zstd":
                raise
            _warn(f"{error}: it is written with gzip instead")
            _read.write_file(path, table, **{**settings, "compression": "gzip", "level": 1})
        return
    from . import __version__

    exporter = f"scope-profiler@{__version__}"
    _read.export(table, "json", path, exporter=exporter, gzip=path.lower().endswith(".gz"))


def mark_reported(engine: Engine, run: Run, *, written: bool) -> None:
    """Call ids go on behind those that were given; once written, only what is new follows."""
    engine.next_call_id += run.read_rows
    if not written:
        return
    run.cursor().checkpoint(os.path.abspath(run.target()), engine.next_call_id)
    for region, exits in run.read_exits:
        region.ptr_base = exits
    _scopes.prune(engine.scopes, run.read_at)


def results_of(
    table: _read.Table, run: Run, values: dict[str, list[dict[str, Any]]]
) -> ProfilingResults:
    from .results import from_table

    objects = {(0, name): of_region for name, of_region in values.items()}  # not their JSON
    return from_table(
        table,
        file_path=run.target() if run.output else run.config.file_path,
        event_metadata=objects,
    )
