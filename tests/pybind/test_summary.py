"""The printed summary: a tree where calls nest, a flat table where they do not.

SPDX-License-Identifier: MIT
"""
import io

import numpy as np
import pytest

from scope_profiler import summary
from scope_profiler.mpi_region import MPIRegion
from scope_profiler.region import Region
from scope_profiler.results import ProfilingResults, from_table

MS = 1_000_000


def region(*calls, **rest):
    starts, ends = zip(*calls) if calls else ((), ())
    return Region(np.array(starts, np.int64) * MS, np.array(ends, np.int64) * MS, **rest)


def nested():
    """session > outer > rec > rec, and a leaf in each rec."""
    return ProfilingResults({
        "scope_profiler.session": MPIRegion("scope_profiler.session", {0: region((0, 100))}),
        "outer": MPIRegion("outer", {0: region((10, 90))}),
        "rec": MPIRegion("rec", {0: region((20, 80), (30, 60))}),
        "leaf": MPIRegion("leaf", {0: region((25, 28), (40, 50))}),
    })


def overlapping():
    return ProfilingResults({"a": MPIRegion("a", {0: region((0, 20))}),
                             "b": MPIRegion("b", {0: region((10, 30), (50, 60))})})


def printed(results, **options):
    stream = io.StringIO()
    results.print_summary(stream=stream, **options)
    return stream.getvalue()


def cells(text):
    """Names and figures of each line inside the frame."""
    return [line.strip().strip("│").split() for line in text.splitlines()
            if line.strip().startswith("│")]


def row(text, name):
    return next(line for line in text.splitlines() if name in line)


def test_rows_follow_the_call_tree():
    rows = summary.region_rows(nested())
    assert [(r["call_path"], r["depth"], r["calls"]) for r in rows] == [
        ("scope_profiler.session", 0, 1),
        ("scope_profiler.session > outer", 1, 1),
        ("scope_profiler.session > outer > rec", 2, 2),
        ("scope_profiler.session > outer > rec > leaf", 3, 2)]


def test_recursion_stays_on_its_row_and_counts_the_outermost_time():
    rec = summary.region_rows(nested())[2]
    assert rec["recursive"] and rec["calls"] == 2
    assert rec["total"] == pytest.approx(0.060) and rec["avg"] == pytest.approx(0.045)
    assert rec["min"] == pytest.approx(0.030) and rec["max"] == pytest.approx(0.060)
    assert rec["exclusive"] == pytest.approx(0.047)
    assert rec["parent_coverage"] == pytest.approx(0.080)


def test_indirect_recursion_gets_rows_of_its_own():
    made = ProfilingResults({"a": MPIRegion("a", {0: region((0, 100), (20, 80))}),
                             "b": MPIRegion("b", {0: region((10, 90), (30, 70))})})
    assert [r["call_path"] for r in summary.region_rows(made)] == [
        "a", "a > b", "a > b > a", "a > b > a > b"]


def test_percentages_are_of_the_session_and_of_the_row_above():
    text = printed(nested(), columns=["region", "percent", "parent_percent"])
    assert row(text, "outer").split()[-3:-1] == ["80.00%", "80.00%"]
    assert row(text, "rec").split()[-3:-1] == ["60.00%", "75.00%"]
    exclusive = printed(nested(), columns=["region", "percent"], percentage_mode="exclusive")
    assert "47.00%" in row(exclusive, "rec") and "100.00%" in row(exclusive, "profiler.session")


def test_what_lies_outside_the_rows_below_is_a_row_of_its_own():
    text = printed(nested(), columns=["region", "total"])
    assert "(own)" in text.splitlines()[4] and "0.020000" in text.splitlines()[4]
    assert text.count("(own)") == 3


def test_without_a_session_region_there_is_no_percentage_by_default():
    made = ProfilingResults({"b": MPIRegion("b", {0: region((1, 2))})})
    assert "%" not in printed(made)
    assert "% session" in printed(made, columns=["region", "percent"])


def test_calls_that_overlap_make_a_flat_table():
    text = printed(overlapping(), columns=["region", "calls", "total", "percent"])
    assert cells(text)[1:] == [["a", "1", "0.020000", "-"], ["b", "2", "0.030000", "-"]]
    assert "0.030000" in printed(overlapping(), percentage_mode="exclusive")


def test_ranks_are_pooled_and_can_be_chosen():
    made = ProfilingResults({"b": MPIRegion("b", {0: region((0, 10)), 3: region((0, 30))}),
                             "c": MPIRegion("c", {0: region((2, 3))})})
    text = printed(made, columns=["region", "ranks", "calls", "total", "imbalance"])
    assert row(text, "│ b").split()[2:6] == ["2", "2", "0.040000", "50.00"]
    one = printed(made, ranks=[3], columns=["region", "ranks", "calls", "total"])
    assert cells(one)[1:] == [["b", "1", "1", "0.030000"], ["c", "0", "0", "-"]]
    assert "no calls on these ranks" in one
    assert "0x" in printed(made, ranks=3)


@pytest.mark.parametrize("column", summary.REGION_TABLE_COLUMNS)
def test_every_column_can_be_printed_of_every_kind_of_result(column):
    table = nested()._table()
    for made in (nested(), overlapping(), from_table(table), from_table(table.aggregate(True)),
                 from_table(table, event_data_available=False), ProfilingResults({})):
        assert printed(made, columns=column)


def test_columns_and_modes_that_are_not_there_are_refused():
    for bad in ("nope", ["region", "nope"], "region,calls"):
        with pytest.raises(ValueError, match="imbalance"):
            printed(nested(), columns=bad)
    with pytest.raises(ValueError, match="coverage"):
        printed(nested(), percentage_mode="total")
    with pytest.raises(KeyError):
        printed(nested(), sort="nope")


@pytest.mark.parametrize("sort", summary.SORT_KEYS)
def test_every_sort_key_sorts_siblings(sort):
    made = ProfilingResults({
        name: MPIRegion(name, {0: region(*calls)}) for name, calls in
        {"b": [(0, 10), (20, 22)], "a": [(11, 19)]}.items()})
    names = [r["name"] for r in summary.region_rows(made, sort=sort)]
    first = {"start": "b", "name": "a", "min": "a", "avg": "a", "last": "a", "std": "b",
             "calls": "b", "total": "b", "p50": "a"}
    assert sorted(names) == ["a", "b"] and names[0] == first.get(sort, names[0])


def test_aggregated_and_summary_only_results_print_sums():
    table = nested()._table()
    for made in (from_table(table.aggregate()), from_table(table, event_data_available=False)):
        text = printed(made, columns=["region", "calls", "total", "percent", "p95"])
        assert row(text, "rec").split()[1:6] == ["rec", "2", "0.090000", "90.00%", "-"]


def test_titles_and_notes():
    made = nested()
    assert "Summary: My title" in printed(made, title="My title")
    assert "calls itself" in printed(made)
    quiet = printed(made, suppress_notes=True)
    assert "Summary" not in quiet and len(quiet.splitlines()) == 12
    assert "(no regions recorded)" in printed(ProfilingResults({}))


def test_files_that_exist_are_offered_for_more(tmp_path):
    path = tmp_path / "my run.h5"
    made = ProfilingResults(dict(nested()._regions), file_path=path)
    assert "inspect" not in printed(made)
    path.write_bytes(b"")
    assert f"scope-profiler inspect '{path}'" in printed(made)


def test_streams_without_these_characters_get_ascii():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    made = ProfilingResults({"größe": MPIRegion("größe", {0: region((0, 1))}), **nested()._regions})
    made.print_summary(stream=stream)
    stream.flush()
    text = raw.getvalue().decode("ascii")
    assert "`- outer" in text and "rec @" in text and "gr\\xf6" in text


def test_rows_line_up_whatever_is_in_a_name():
    names = ["a\nb", "日本語", "a\tb", "x" * 200, ""]
    made = ProfilingResults({n: MPIRegion(n, {0: region((i, i + 1))})
                             for i, n in enumerate(names)})
    lines = printed(made, suppress_notes=True).rstrip().splitlines()
    assert len(lines) == 4 + len(names) and "a\\nb" in lines[3]
    assert all(line.startswith("  │") and line.endswith("│") for line in lines[3:-1])
    assert len({len(line) + 3 * ("日" in line) for line in lines}) == 1
