"""The whole content of files as JSON, by scope-profiler 0.7.5 or by this package.

    python describe_profile.py FILE...        prints a list

SPDX-License-Identifier: MIT
"""
import json
import sys

from scope_profiler.call_stack import NestingError
from scope_profiler.profile_io import load


def tried(call, *arguments):
    """What the call returns; that its calls do not nest; or where 0.7.5 fails."""
    try:
        return call(*arguments)
    except (NestingError, IndexError) as error:
        return type(error).__name__


def whole(values):
    return None if values is None else [int(value) for value in values]


def region(one):
    return {
        "starts": whole(one.start_times_ns), "ends": whole(one.end_times_ns),
        "calls": one.num_calls, "total": one.total_duration, "min": one.min_duration,
        "max": one.max_duration, "exclusive_total": tried(lambda: one.exclusive_duration),
        "gpu_ns": whole(one.gpu_durations_ns),
        "call_ids": whole(one.call_ids), "parent_ids": whole(one.parent_ids),
        "thread_ids": whole(one.thread_ids), "task_ids": whole(one.task_ids),
        "await_ns": whole(one.await_times_ns), "tags": list(one.tags),
        "source": [one.source_file, one.source_lineno, one.source_text],
        "event_metadata": [dict(each) for each in one.event_metadata or ()],
    }


def lanes(table):
    return {
        str(rank): [
            {name: getattr(row, name) for name in (
                "index", "name", "ident", "native_id", "daemon", "start_time", "end_time",
                "cpu_time", "wall_time", "alive", "kind", "coro_name", "thread_index", "steps",
                "running_time", "awaiting_time", "created_time", "done_time",
            ) if hasattr(row, name)}
            for row in rows
        ]
        for rank, rows in table.items()
    }


def describe(path):
    return describe_results(load(path))


def describe_results(results):
    detailed = not any(r[rank].stored_summary for r in results for rank in r)
    ranks = range(results.num_ranks if detailed else 0)
    return {
        "label": results.label, "names": list(results.region_names),
        "num_ranks": results.num_ranks,
        "metadata": {key: value if isinstance(value, str) else str(value)
                     for key, value in sorted(results.metadata.items())},
        "regions": {r.name: {str(rank): region(r[rank]) for rank in r} for r in results},
        "threads": lanes(results.threads), "tasks": lanes(results.tasks),
        "call_graph": [tried(results.call_graph, rank) for rank in ranks],
        "events": results.events() if detailed else [],
        "stacks": [tried(results.call_stack, rank) for rank in ranks],
        "lane_labels": [results.lane_label(lane) for lane in range(-5, 4)],
        "thread_summary": tried(results.thread_summary),
    }


if __name__ == "__main__":
    print(json.dumps([describe(path) for path in sys.argv[1:]], default=str))
