"""What the recorder says of its own cost: kept by every way that a file comes about.

SPDX-License-Identifier: MIT
"""
import re

import h5py
import numpy as np
import pytest

from support.jobs import environment, read_075, run
from tools.programs import REGIONS, SESSIONS, build, inspect_json

FIGURES = ("overhead_pair_ns", "overhead_inside_ns", "overhead_long_pair_ns", "overhead_long_inside_ns")

# `loop` around argv[1], else 400 000, calls of `tiny`, three times; `main` around all.
TINY = r"""
#include <scope/scope.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    const int calls = argc > 1 ? atoi(argv[1]) : 400000;
    scope_region tiny;
    scope_init(NULL);
    scope_region_register("tiny", &tiny);
    scope_region_begin_name("main");
    for (int k = 0; k < 3; k++) {
        scope_region_begin_name("loop");
        for (int i = 0; i < calls; i++) {
            scope_region_begin(tiny);
            scope_region_end(tiny);
        }
        scope_region_end_name("loop");
    }
    scope_region_end_name("main");
    return 0;
}
"""


@pytest.fixture(scope="module")
def tiny(install, tmp_path_factory):
    return build(install, tmp_path_factory.mktemp("tiny"), "tiny", TINY)


def figures(path):
    with h5py.File(path) as file:
        return {name: file["scope/ranks"][name][:].tolist() for name in FIGURES}


def regions(install, path, *words):
    return {r["name"]: r for r in inspect_json(install, run, path, *words)["regions"]}


@pytest.fixture(scope="module")
def ranks(install, tmp_path_factory):
    """A file of each of three ranks, with figures that belong to it alone."""
    folder = tmp_path_factory.mktemp("ranks")
    program = build(install, folder, "regions", REGIONS)
    for rank in range(3):
        run([program], cwd=folder, env=environment(SCOPE_OUTPUT=f"r{rank}.h5"))
        with h5py.File(folder / f"r{rank}.h5", "r+") as file:
            for i, name in enumerate(FIGURES):
                file["scope/ranks"][name][:] = 40.5 + rank - 10 * i
    return [folder / f"r{rank}.h5" for rank in range(3)]


def test_merged_ranks_keep_their_own(install, ranks, tmp_path):
    run([install.scope, "merge", "--renumber", *ranks, "-o", tmp_path / "all.h5"])
    found = figures(tmp_path / "all.h5")
    for i, name in enumerate(FIGURES):
        assert found[name] == [40.5 + rank - 10 * i for rank in range(3)]


def test_a_rank_that_says_nothing_leaves_the_others_theirs(install, ranks, tmp_path):
    older = tmp_path / "older.h5"
    older.write_bytes(ranks[1].read_bytes())
    with h5py.File(older, "r+") as file:
        for name in FIGURES:
            del file["scope/ranks"][name]
    run([install.scope, "merge", "--renumber", ranks[0], older, "-o", tmp_path / "all.h5"])
    assert figures(tmp_path / "all.h5")["overhead_pair_ns"] == [40.5, 0]
    shown = inspect_json(install, run, tmp_path / "all.h5")
    assert shown["ranks"][0]["regions"][0]["corrected_duration"] is not None
    assert shown["ranks"][1]["regions"][0]["corrected_duration"] is None
    assert shown["regions"][0]["corrected_duration"] is None


def test_a_killed_process_has_said_it(install, tmp_path):
    program = build(install, tmp_path, "sessions", SESSIONS)
    run([program, "9"], cwd=tmp_path, check=False, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    spool = next(tmp_path.glob("**/*.spool"))
    assert inspect_json(install, run, spool)["ranks"][0]["overhead_per_call"] > 0
    run([install.scope, "recover", tmp_path], cwd=tmp_path, check=False)
    files = [path for path in tmp_path.glob("*.h5") if path.name != "closed.h5"]
    assert files
    for path in [*files, tmp_path / "closed.h5"]:  # each session says it
        assert figures(path)["overhead_pair_ns"][0] > 0


def test_an_export_takes_it_along(install, ranks, tmp_path):
    run([install.scope, "export", "json", ranks[2], "-o", tmp_path / "x.json"])
    text = (tmp_path / "x.json").read_text()
    for i, name in enumerate(FIGURES):
        assert re.search(rf'"{name}": ?{42.5 - 10 * i}\b', text), text[-3000:]


def listed(path):
    """/scope/overhead by rank and name."""
    with h5py.File(path) as file:
        ends = file["scope/region_names_ends"][:]
        raw = file["scope/region_names"][:].tobytes()
        names = [raw[a:b].decode("utf-8", "surrogateescape") for a, b in zip([0, *ends[:-1]], ends)]
        table = {name: column[:] for name, column in file["scope/overhead"].items()}
        return {(int(table["ranks"][i]), names[table["region_ids"][i]]):
                {name: int(column[i]) for name, column in table.items()}
                for i in range(len(table["ranks"]))}


@pytest.mark.parametrize("budget", ["0", "2M"])
def test_the_file_lists_what_inspect_shows(install, tiny, tmp_path, budget):
    path = tmp_path / "out.h5"
    run([tiny, 340_000], env=environment(SCOPE_OUTPUT=path, SCOPE_MAX_BYTES=budget))
    rows = listed(path)
    shown = {(rank["rank"], r["name"]): r for rank in inspect_json(install, run, path)["ranks"]
             for r in rank["regions"]}
    assert rows.keys() == shown.keys() == {(0, "main"), (0, "loop"), (0, "tiny")}
    for key, row in rows.items():
        assert row["counts"] == shown[key]["num_calls"]
        for name, word in (("totals_ns", "total"), ("exclusives_ns", "exclusive"), ("overheads_ns", "overhead"),
                           ("corrected_totals_ns", "corrected"),
                           ("corrected_exclusives_ns", "corrected_exclusive")):
            assert row[name] == round(shown[key][f"{word}_duration"] * 1e9), (key, name)


def test_of_many_calls_readers_work_it_out(install, tiny, tmp_path):
    """More than 2^20: it would make the end of a job slower and larger."""
    path = tmp_path / "out.h5"
    run([tiny], env=environment(SCOPE_OUTPUT=path, SCOPE_THROTTLE="0"))
    with h5py.File(path) as file:
        assert "overhead" not in file["scope"] and len(file["events/durations"]) > 1 << 20
    assert regions(install, path)["tiny"]["overhead_duration"] > 0


def test_merged_files_list_all_ranks(install, ranks, tmp_path):
    run([install.scope, "merge", "--renumber", *ranks, "-o", tmp_path / "all.h5"])
    merged, wanted = listed(tmp_path / "all.h5"), {}
    for rank, path in enumerate(ranks):
        wanted.update({(rank, name): row["totals_ns"] for (_, name), row in listed(path).items()})
    assert {key: row["totals_ns"] for key, row in merged.items()} == wanted
    for rank in range(3):  # by the rank's own figures
        assert abs(merged[rank, "inner"]["overheads_ns"] - 15 * (20.5 + rank)) < 1


@pytest.mark.parametrize("clock", ["tsc", "monotonic"])
def test_what_lies_around_tiny_regions_is_corrected(install, tiny, tmp_path, clock):
    path = tmp_path / "out.h5"
    run([tiny], env=environment(SCOPE_OUTPUT=path, SCOPE_CLOCK=clock))
    shown = regions(install, path)
    for name in ("main", "loop", "tiny"):
        region = shown[name]
        assert 0 <= region["corrected_exclusive_duration"] <= region["corrected_duration"]
    assert shown["tiny"]["overhead_duration"] > 0
    taken = {name: shown[name]["total_duration"] - shown[name]["corrected_duration"] for name in ("main", "loop")}
    for name in taken:  # all that tiny cost, or all there was
        assert taken[name] == pytest.approx(shown["tiny"]["overhead_duration"], rel=0.01) or \
            shown[name]["corrected_duration"] == 0


def test_folded_calls_are_attributed_where_a_kept_call_spans_them(install, tiny, tmp_path):
    path = tmp_path / "out.h5"
    run([tiny], env=environment(SCOPE_OUTPUT=path, SCOPE_MAX_BYTES="2M"))
    with h5py.File(path) as file:
        folded = int(np.sum(file["scope/folded/counts"][:]))
        pair = float(file["scope/ranks/overhead_long_pair_ns"][0])
    shown = regions(install, path)
    assert folded > 0 and shown["tiny"]["num_calls"] == 1200000
    main = shown["main"]
    taken = main["total_duration"] - main["corrected_duration"]
    assert taken >= min(folded * pair * 0.99e-9, main["total_duration"] * 0.99)


@pytest.mark.parametrize("budget", ["0", "2M"])
def test_times_without_the_recorder_are_never_longer(install, tiny, tmp_path, budget):
    path = tmp_path / "out.h5"
    run([tiny], env=environment(SCOPE_OUTPUT=path, SCOPE_MAX_BYTES=budget, SCOPE_THROTTLE="0"))
    shown = inspect_json(install, run, path)
    assert shown["num_calls"] == shown["num_kept"] + shown["num_folded"] == 1200004
    assert (shown["num_folded"] > 0) == (budget != "0")
    for region in shown["regions"]:
        assert 0 <= region["corrected_duration"] <= region["total_duration"]
        assert 0 <= region["corrected_exclusive_duration"] <= region["exclusive_duration"]


def test_0_7_5_reads_a_file_that_says_it(ranks):
    done = read_075(f"import scope_profiler as sp\n"
                    f"print(sorted(r['num_calls'] for r in sp.read_h5({str(ranks[0])!r}).summary()))")
    if done is None:
        pytest.skip("scope-profiler 0.7.5 is not here")
    assert done.stdout.strip() == "[1, 3, 15]"
