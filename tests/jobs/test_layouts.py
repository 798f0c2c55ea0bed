"""The three ways of writing one file give the same calls, and fail without a hang.

SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
from pathlib import Path

import h5py
import pytest

from support.jobs import environment, read_075, run

pytestmark = pytest.mark.mpi

ROOT = Path(__file__).resolve().parents[2]
MODES = ["direct", "parallel", "per_rank"]


def has_parallel(mpi):
    return (mpi.install.lib / "scope" / f"libscope_hdf5_writer_{mpi.family}.so").exists()


def how(path):
    with h5py.File(path) as file:
        metadata = file["metadata"].attrs
        return metadata["output_mode"], metadata["output_mode_reason"]


def datasets(path, skip=("scope/sources", "scope/file_id")):
    """Every dataset of the file, read by h5py's HDF5, which knows nothing of us."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith(skip):
            found[name] = item[()] if item.shape == () else item[()].tolist()

    with h5py.File(path) as file:
        file.visititems(take)
    return found


@pytest.fixture(scope="module")
def layouts(mpi, build, tmp_path_factory):
    """A folder with the same job in every mode, with and without compression."""
    if not has_parallel(mpi):
        pytest.skip(f"no parallel HDF5 for {mpi.family}")
    folder = tmp_path_factory.mktemp(f"layouts-{mpi.family}")
    program = build(
        "layouts.c", [f"-I{ROOT}/mpi/src", f"-I{ROOT}/tests/support", ROOT / "tests/support/tables.c"],
        mpi=mpi, libs=[f"-lscope_mpi_{mpi.family}", "-lscope", "-lscope_hdf5"])
    ranks = 4 if mpi.family == "ompi" else 2  # MPICH's ranks spin while they wait
    result = mpi.mpirun(ranks, [program, folder, mpi.install.lib / "scope/libscope_hdf5_writer.so"],
                        cwd=folder, env=environment(SCOPE_ENABLE=0))
    assert result.stdout == "the same\n", result.stdout + result.stderr
    return folder


def test_every_way_gives_the_same_rows_to_any_hdf5(layouts):
    for with_ in "01":
        expected = datasets(layouts / f"direct-none-{with_}.h5")
        assert len(expected["events/durations"]) > 500
        for compression in ("none", "gzip", "lzf"):
            for mode in MODES:
                path = layouts / f"{mode}-{compression}-{with_}.h5"
                assert how(path) == (mode, "asked for")
                assert datasets(path) == expected, path


def test_compressed_is_compressed_and_virtual_is_virtual(layouts):
    with h5py.File(layouts / "parallel-gzip-0.h5") as file:
        assert file["events/durations"].compression == "gzip" and file["events/durations"].shuffle
    with h5py.File(layouts / "per_rank-gzip-0.h5") as file:
        assert file["events/durations"].is_virtual
    with h5py.File(layouts / "per_rank-gzip-0.rank1.h5") as file:
        assert file["events/durations"].compression == "gzip"


def test_0_7_5_reads_every_way_alike(layouts):
    paths = [str(layouts / f"{mode}-{c}-0.h5") for mode in MODES for c in ("none", "gzip")]
    result = read_075(f"""
import scope_profiler
for path in {paths!r}:
    results = scope_profiler.read_h5(path)
    print(sorted((name, rank, results[name][rank].num_calls, float(results[name][rank].total_duration))
                 for name in results.region_names for rank in results[name].ranks))
""")
    if result is None:
        pytest.skip("no scope-profiler 0.7.5 here")
    lines = result.stdout.splitlines()
    assert len(lines) == len(paths) and len(set(lines)) == 1 and lines[0].count("400") >= 2


def test_parts_join_to_the_same_calls(layouts, install):
    """What an index cannot read for a missing part, `scope merge` takes from those that are there."""
    parts = sorted(layouts.glob("per_rank-none-0.rank?.h5"))
    assert len(parts) >= 2
    run([install.scope, "merge", *parts, "-o", layouts / "joined.h5"])
    whole, joined = datasets(layouts / "direct-none-0.h5"), datasets(layouts / "joined.h5")
    for name in ("events/start_deltas", "events/durations", "rank_region_index/event_counts"):
        assert joined[name] == whole[name]
    away = layouts / "away.h5"
    parts[1].rename(away)
    try:
        result = run([install.scope, "inspect", layouts / "per_rank-none-0.h5"], check=False)
        assert result.returncode and parts[1].name in result.stderr and "rank 1" in result.stderr
    finally:
        away.rename(parts[1])


# ---- whole jobs ----


@pytest.fixture
def job(mpi, build, place):
    """job(mode, ...) -> what mpirun of three ranks with some calls each said; its file is run.h5."""
    program = build("endings.c", mpi=mpi)

    def go(mode, check=True, before=(), **extra):
        return place.mpirun(mpi, 3, [*before, program, "plain"], check=check, SCOPE_OUTPUT_MODE=mode, **extra)

    return go


@pytest.mark.parametrize("mode", MODES)
def test_a_job_is_written_as_asked(mpi, job, place, mode):
    result = job(mode)
    assert (result.stdout, result.stderr) == ("done\n", "")
    parts = [f"run.rank{r}.h5" for r in range(3)] if mode == "per_rank" else []
    assert place.files() == sorted(["run.h5", *parts]) and place.spools() == []
    if mode != "parallel" or has_parallel(mpi):
        assert how(place.output) == (mode, "asked for")
    profile = place.profile()
    assert [profile.mpi_counts(r)["MPI_Finalize"] for r in range(3)] == [1] * 3
    assert not any(name.startswith("MPI_File") or name == "MPI_Comm_dup" for r in range(3)
                   for name in profile.mpi_counts(r)), "the writer's own calls are not recorded"


def test_auto_says_what_it_chose(job, place):
    job("auto")
    assert how(place.output)[0] == "direct" and how(place.output)[1].startswith("auto: ")


@pytest.mark.parametrize("mode", MODES)
def test_a_missing_folder_or_a_full_disk_keeps_the_spools_and_the_old_file(
        mpi, job, place, small_disk, mode):
    if mode == "parallel" and not has_parallel(mpi):
        pytest.skip("no parallel HDF5")
    result = job(mode, check=False, SCOPE_OUTPUT=place.folder / "none" / "run.h5")
    assert len(place.spools()) == 3 and "none" in result.stderr
    for spool in place.spools():
        spool.unlink()
    disk = small_disk("24k")
    (disk / "run.h5").write_text("old")
    result = job(mode, check=False, SCOPE_OUTPUT=disk / "run.h5")
    assert "was not written" in result.stderr and "scope recover" in result.stderr
    assert (disk / "run.h5").read_text() == "old" and os.listdir(disk) == ["run.h5"]
    assert len(place.spools()) == 3
    recovered = place.recover()
    assert [recovered.mpi_counts(r)["MPI_Init"] for r in range(3)] == [1] * 3


def test_one_rank_without_the_plug_in_is_written_in_the_other_way(mpi, job, place):
    if not has_parallel(mpi):
        pytest.skip("no parallel HDF5")
    library = place.folder / "lib"
    (library / "scope").mkdir(parents=True)
    for path in mpi.install.lib.glob("libscope*.so*"):
        shutil.copy(path, library)
    shutil.copy(mpi.install.lib / "scope" / "libscope_hdf5_writer.so", library / "scope")
    rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
    without = ["sh", "-c", f'[ {rank} = 1 ] && export LD_LIBRARY_PATH={library}; exec "$@"', "sh"]
    result = job("parallel", before=without)
    assert result.stderr == ""
    mode, reason = how(place.output)
    assert mode == "direct"
    assert reason == f"parallel was asked for, but rank 1: libscope_hdf5_writer_{mpi.family}.so is not installed"
    place.profile()


# ---- one rank fails ----

FAULTS = [("parallel", compression, rank, what, step) for compression, rank, what, step in
          [("gzip", 1, "write", 61), ("none", 0, "write", 61), ("gzip", 0, "reads", 61), ("gzip", 1, "reads", 3)]]
EVERY_FAULT = [(mode, compression, rank, what, 1) for mode in MODES for compression in ("none", "gzip")
               for rank in (0, 1) for what in ("write", "read", "reads")]


@pytest.mark.parametrize("mode, compression, rank, what, step",
                         [*FAULTS, *(pytest.param(*f, marks=pytest.mark.long) for f in EVERY_FAULT)])
def test_a_system_call_of_one_rank_fails(mpi, build, tmp_path, mode, compression, rank, what, step):
    """Each in turn: an error on every rank and the old file as it was, or no harm; never a hang."""
    tries = with_faults(mpi, build, tmp_path, mode, compression, rank, what, step)
    assert tries > (1 if mode == "parallel" or what == "write" else 0)


@pytest.mark.parametrize("compression", ["none", "gzip"])
@pytest.mark.parametrize("mode", MODES)
def test_a_file_size_limit_of_one_rank(mpi, build, tmp_path, mode, compression):
    """More each time, until it is enough. With gzip rank 0 alone writes in `direct`: no limit for rank 1."""
    assert with_faults(mpi, build, tmp_path, mode, compression, 1, "limit", 61) > (compression == "none")


@pytest.mark.parametrize("mode", MODES)
def test_a_disk_that_has_more_room_each_time(mpi, build, small_disk, mode):
    folder = small_disk("4m") / "out"
    folder.mkdir()
    assert with_faults(mpi, build, folder, mode, "none", 0, "full", 61) > 1


def with_faults(mpi, build, folder, mode, compression, rank, what, step):
    """How often faults.c tried."""
    if mode == "parallel" and not has_parallel(mpi):
        pytest.skip(f"no parallel HDF5 for {mpi.family}")
    program = build(
        "faults.c", ["-rdynamic", f"-I{ROOT}/mpi/src", f"-I{ROOT}/tests/support", ROOT / "tests/support/tables.c"],
        mpi=mpi, libs=[f"-lscope_mpi_{mpi.family}", "-lscope", "-lscope_hdf5"])
    # after an error Open MPI's processes are not given `parallel` again
    alone = mode == "parallel" and mpi.family == "ompi"
    tries, first, more = 0, 1, True
    while more:
        result = mpi.mpirun(2, [program, folder, mpi.install.lib / "scope/libscope_hdf5_writer.so", mode, compression,
                                rank, what, "EIO", first, 0 if alone else step], timeout=3600 if step == 1 else 600,
                            check=False, cwd=folder, env=environment(SCOPE_ENABLE=0))
        said = re.search(r"(\d+) tries(, and more)?\n$", result.stdout)
        assert result.returncode == 0 and said, result.stdout + result.stderr[-2000:]
        tries += int(said[1])
        more = alone and said[2]
        first += step
    return tries


# ---- a program that uses HDF5 and MPI-IO itself ----


@pytest.fixture(scope="module")
def hdf5(mpi):
    """Flags of this MPI's parallel HDF5."""
    flags = run(["pkg-config", "--cflags", "--libs", f"hdf5-{mpi.suffix}"], check=False).stdout.split()
    if not flags:
        pytest.skip(f"no parallel HDF5 for {mpi.family}")
    return [f for f in flags if f.startswith("-I")], [f for f in flags if f.startswith(("-L", "-lhdf5"))]


WAYS = ["before", "after", "preloaded"]  # how our library is linked: before libmpi or after it


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", MODES)
def test_a_program_with_hdf5_and_mpi_io_keeps_both(mpi, hdf5, build, place, mode, way):
    include, libraries = hdf5
    ours = [f"-lscope_mpi_{mpi.family}", "-lscope"]
    libs = {"before": [*ours, *libraries], "preloaded": ["-lscope", *libraries],
            "after": [*libraries, "-lmpi" if mpi.family == "ompi" else "-lmpich", "-Wl,--no-as-needed", *ours]}[way]
    program = build("hdf5_app.c", [*include, "-DLATE"], mpi=mpi, libs=libs)
    extra = {"LD_PRELOAD": mpi.library} if way == "preloaded" else {}
    before = ["env", *(f"{k}={v}" for k, v in extra.items())]
    result = place.mpirun(mpi, 2, [*before, program, place.folder / "data.h5"], SCOPE_OUTPUT_MODE=mode)
    assert result.stdout == "done\n"
    with h5py.File(place.folder / "data.h5") as file:
        assert file["ranks"][()].tolist() == [0, 1]
    assert (place.folder / "data.h5.raw").read_bytes() == b"01"
    profile = place.profile()
    assert [profile.own_counts(r)["write"] for r in range(2)] == [1, 1]
    mode_written, reason = how(place.output)
    if mode == "parallel" and way == "after":
        assert mode_written == "direct" and "MPI is ending already" in reason
    else:
        assert (mode_written, reason) == (mode, "asked for")
