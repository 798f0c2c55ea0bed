"""Patterns of SCOPE_FILTER that are of some ranks only, under both MPIs.

SPDX-License-Identifier: MIT
"""
import pytest

CASES = {
    "solve@0-1,-io_*@2-": [{"solve": 20}, {"solve": 20}, {"solve": 20, "other": 20}],
    "-*@1+2": [{"solve": 20, "io_read": 20, "other": 20}, {}, {}],
    "-MPI_*,-other@0": [{"solve": 20, "io_read": 20}] + 2 * [{"solve": 20, "io_read": 20, "other": 20}],
}


@pytest.mark.parametrize("known", ["launcher", "hidden"])
@pytest.mark.parametrize("text", CASES)
def test_each_rank_reads_the_patterns_for_it(build, place, mpi, text, known):
    """Also where nobody says the rank before MPI_Init: handles that the program has by then are judged again."""
    place.mpirun(mpi, 3, [build("filter_ranks.c", ["-pthread"], mpi=mpi), known], SCOPE_FILTER=text)
    profile = place.profile()
    assert profile.lost() == 0 and not any(profile.misuse(kind) for kind in ("implied", "crossed", "orphans"))
    for rank, wanted in enumerate(CASES[text]):
        assert profile.own_counts(rank) == wanted
        if text.startswith("-MPI_*"):
            assert not profile.mpi_counts(rank)


@pytest.mark.parametrize("text, wanted", [
    ("-io_*@0", {"solve": 2, "other": 2}), ("-io_*@1-", {"solve": 2, "io_read": 2, "other": 2}),
    ("solve@0", {"solve": 2}), ("-solve@0", {"io_read": 2, "other": 2}),
])
def test_a_process_without_launcher_or_mpi_is_rank_0(build, place, text, wanted):
    place.run([build("filter_serial.c")], SCOPE_FILTER=text)
    assert place.profile().counts() == wanted
