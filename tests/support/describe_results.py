"""Call sets in, results out: run under this package and under 0.7.5, and compare.

Reads a JSON list of call sets from stdin (what random_calls makes) and prints a JSON list of
what the results say about each. Knows only what both packages have.

SPDX-License-Identifier: MIT
"""
import io
import json
import sys

import numpy as np

from scope_profiler.call_stack import NestingError, build_call_arrays, split_by_lane
from scope_profiler.concurrency import TaskInfo, ThreadInfo
from scope_profiler.mpi_region import MPIRegion
from scope_profiler.region import Region
from scope_profiler.results import ProfilingResults


def column(values):
    return None if values is None else np.array(values, dtype=np.int64)


def results_of(case):
    regions = {}
    for row in case["regions"]:
        region = Region(
            column(row["start"]), column(row["end"]),
            **{name: column(row.get(name)) for name in
               ("gpu_durations", "call_ids", "parent_ids", "thread_ids", "task_ids",
                "await_times")},
            event_metadata=row.get("event_metadata"), source_file=row.get("source_file"),
            source_lineno=row.get("source_lineno"), tags=tuple(row.get("tags", ())),
        )
        regions.setdefault(row["name"], {})[row["rank"]] = region
    return ProfilingResults(
        {name: MPIRegion(name, ranks) for name, ranks in regions.items()},
        metadata=case["metadata"], file_path="run.h5",
        threads={int(rank): [ThreadInfo(**row) for row in rows]
                 for rank, rows in case["threads"].items()},
        tasks={int(rank): [TaskInfo(**row) for row in rows]
               for rank, rows in case["tasks"].items()},
    )


def attempt(question):
    """The answer, or the name of the exception."""
    try:
        return question()
    except Exception as error:
        return {"raised": [kind.__name__ for kind in type(error).__mro__[:2]]}


def arrays(calls):
    return {name: value.tolist() if hasattr(value, "tolist") else list(value)
            for name, value in zip(calls._fields, calls)}


def describe_region(region):
    names = ("num_calls total_duration inclusive_duration exclusive_duration average_duration "
             "min_duration max_duration first_duration last_duration std_duration p50_duration "
             "p95_duration p99_duration first_start_time last_end_time has_timing has_source "
             "has_event_data has_gpu_timing gpu_total_duration gpu_average_duration "
             "source_file source_lineno").split()
    told = {name: attempt(lambda name=name: getattr(region, name)) for name in names}
    told["tags"] = list(region.tags)
    told["p33"] = attempt(lambda: region.percentile_duration(33))
    told["summary"] = attempt(region.get_summary)
    told["exclusive"] = attempt(lambda: region.exclusive_durations.tolist())
    return told


def describe_thread(region, index):
    part = region.for_thread(index)
    return {
        "calls": part.num_calls, "total": part.total_duration,
        "starts": part.start_times_ns.tolist(),
        "await": None if part.await_times_ns is None else part.await_times_ns.tolist(),
    }


def describe(case):
    results = results_of(case)
    selections = [{}, {"include": "[ab]"}, {"exclude": ["a", "e"]}]
    told = {
        "names": results.region_names,
        "order": [region.name for region in results.get_regions()],
        "times": [results.minimum_start_time, results.maximum_end_time, results.time_span,
                  results.time_origin, results.startup_time, results.total_time,
                  results.num_ranks],
        "titles": [results.label, results.display_label, results.default_title()],
        "summary": [attempt(lambda s=s: results.summary(**s)) for s in selections],
        "ranks": {},
        "regions": {region.name: describe_region(region) for region in results},
        "pooled": {
            region.name: [region.rank_imbalance, region.rank_imbalance_pct,
                          region.num_calls_per_rank(), region.total_durations(),
                          region.average_durations(), region.min_durations(),
                          region.max_durations()]
            for region in results
        },
        "events": [attempt(lambda s=s: results.events(**s)) for s in
                   [*selections, {"ranks": 1}, {"relative": False}, {"origin": 1e-6}]],
    }
    for rank in sorted({rank for region in results for rank in region} | {7}):
        lanes = range(-6, 5)
        told["ranks"][rank] = {
            "graph": [attempt(lambda s=s: results.call_graph(rank, **s)) for s in selections],
            "stack": [attempt(lambda s=s: results.call_stack(rank, **s)) for s in selections],
            "arrays": attempt(lambda: arrays(build_call_arrays(results.get_regions(), rank))),
            "lanes": attempt(lambda: [
                [lane, arrays(calls)] for lane, calls in
                split_by_lane(build_call_arrays(results.get_regions(), rank))]),
            "threads": attempt(lambda: results.thread_summary(rank)),
            "labels": [results.lane_label(lane, rank) for lane in lanes],
        }
        for region in results:
            if rank in region:
                told["ranks"][rank][region.name] = describe_region(region[rank])
                told["ranks"][rank][region.name + " threads"] = [
                    [index, attempt(lambda i=index: describe_thread(region[rank], i))]
                    for index in [*region[rank].threads, 99]
                ]
    for options in ({}, {"percentage_mode": "exclusive"}):
        told["printed", str(options)] = attempt(lambda o=options: printed(results, o))
    return {str(key): value for key, value in told.items()}


def printed(results, options):
    """The rows of the table as cells, in no order: ranks that start together may be swapped."""
    stream = io.StringIO()
    results.print_summary(stream=stream, suppress_notes=True, columns=[
        "region", "ranks", "calls", "total", "percent", "parent_percent", "imbalance"], **options)
    rows = [line.strip().strip("│+|").split() for line in stream.getvalue().splitlines()[1:]]
    return sorted([cell for cell in row if cell.strip("│└├─╰╭╮╯┤")] for row in rows)


if __name__ == "__main__":
    json.dump([describe(case) for case in json.load(sys.stdin)], sys.stdout,
              default=lambda value: value.item())
