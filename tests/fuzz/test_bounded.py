"""Small files that claim to be large: refused or read, in bounded memory and time.

SPDX-License-Identifier: MIT
"""

import gzip
import resource
import struct
import subprocess

import h5py
import numpy as np
import pytest

MOST_BYTES = 1 << 30


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def inspect(install, path):
    """Exit status 0 or 1, and words on stderr if there is nothing to show."""
    done = subprocess.run(
        [install.scope, "inspect", path], capture_output=True, text=True, timeout=300,
        preexec_fn=limits, errors="replace",
    )
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-1000:])
    assert done.returncode == 0 or path.name in done.stderr
    return done


def profile(path, columns, chunks=None, compression=None):
    """Schema 3 with one pair of so many calls, whose columns hold nothing."""
    text = h5py.string_dtype()
    with h5py.File(path, "w") as file:
        file.attrs["scope_profiler_schema"] = 3
        file.create_group("metadata")
        file["region_table/names"] = np.array(["a"], dtype=text)
        index = file.create_group("rank_region_index")
        for name, value in (("region_ids", 0), ("ranks", 0), ("event_offsets", 0), ("event_counts", columns),
                            ("source_lines", -1), ("exclusive_totals", -1)):
            index[name] = np.array([value], dtype=np.int64 if value < 0 else np.uint64)
        for name in ("source_files", "source_texts", "tags"):
            index[name] = np.array(["[]" if name == "tags" else ""], dtype=text)
        for name in ("start_deltas", "durations"):
            file.create_dataset(f"events/{name}", shape=(columns,), dtype=np.int64, chunks=chunks,
                                compression=compression, fillvalue=0)
    return path


@pytest.mark.parametrize("chunks", [None, (1024,), (1 << 28,)])
def test_a_file_that_claims_2_to_40_calls_is_refused(install, tmp_path, chunks):
    path = profile(tmp_path / "claims.h5", 1 << 40, chunks)
    assert path.stat().st_size < 100_000
    done = inspect(install, path)
    assert done.returncode == 1
    assert "longer than the file can hold" in done.stderr


def test_a_chunk_that_unpacks_to_much_more_is_bounded(install, tmp_path):
    path = profile(tmp_path / "bomb.h5", 1 << 23, (1 << 23,), "gzip")
    with h5py.File(path, "r+") as file:  # 64 MiB of zeros, twice
        zeros = gzip.zlib.compress(bytes(1 << 26), 9)
        for name in ("start_deltas", "durations"):
            file[f"events/{name}"].id.write_direct_chunk((0,), zeros)
    inspect(install, path)


@pytest.mark.parametrize("inside", ["[", '{"a":', '[{"a":'])
@pytest.mark.parametrize("where", ["", '{"metadata": {"x": ', '{"regions": [{"event_metadata": '])
def test_json_that_is_nested_a_million_times_is_refused(install, tmp_path, inside, where):
    path = tmp_path / "deep.json"
    path.write_text((where or '{"x":') + inside * 1_000_000)
    done = inspect(install, path)
    assert done.returncode == 1


def test_a_string_of_50_megabytes_is_read(install, tmp_path):
    path = tmp_path / "long.json.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b'{"format": "scope-profiler-profile", "format_version": 1, "num_ranks": 1, "ignored": "')
        for _ in range(50):
            file.write(b"x" * 1_000_000)
        file.write(b'", "regions": []}')
    inspect(install, path)


@pytest.mark.parametrize("regions, calls, name", [
    (1 << 40, 0, 0), (1, 1 << 40, 0), (1, (1 << 60) + 1, 0), (1, -1, 0), (1, 0, 0x7FFFFFFF),
])
def test_a_trace_that_claims_more_than_it_holds_is_refused(install, tmp_path, regions, calls, name):
    path = tmp_path / "claims.spt"
    path.write_bytes(b"SCOPEPRF" + struct.pack("<iiqi", 1, 0, regions, name) + struct.pack("<q", calls))
    done = inspect(install, path)
    assert done.returncode == 1
    assert "cut off" in done.stderr
