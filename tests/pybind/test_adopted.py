"""A recording that C has started, and that Python takes over, writes and gives back."""

import subprocess
import sys

import pytest
import scope_profiler as sp

CODE = """
import ctypes, sys
import scope_profiler as sp
maps = open("/proc/self/maps").read().split()
lib = ctypes.CDLL(next(word for word in maps if "/libscope.so" in word))  # the package's
assert lib.scope_init(None) == 0
region = ctypes.c_int32()
lib.scope_region_register(b"from C", ctypes.byref(region))
def call():
    lib.scope_region_begin(region)
    lib.scope_region_end(region)
call()
sp.setup(output=sys.argv[1])
with sp.region("from Python"):
    pass
if "finalize" in sys.argv:
    sp.finalize(verbose=False)
if "reset" in sys.argv:
    sp.reset()
for _ in range(int(sys.argv[2])):
    call()
"""


@pytest.fixture
def counts(tmp_path, monkeypatch):
    """counts(output, calls after, *words) -> {file: {region: calls}}"""
    monkeypatch.setenv("SCOPE_OUTPUT", str(tmp_path / "c.h5"))
    monkeypatch.setenv("SCOPE_SPOOL_DIR", str(tmp_path))

    def go(output, after, *words):
        subprocess.run(
            [sys.executable, "-c", CODE, tmp_path / output, str(after), *words],
            check=True,
            timeout=300,
        )
        assert list(tmp_path.rglob("*.spool")) == []
        return {
            path.name: {name: results[name][0].num_calls for name in results.region_names}
            for path in tmp_path.glob("*.h5")
            for results in [sp.read_h5(path)]
        }

    return go


def test_what_comes_after_it_was_given_back_is_written_too(counts):
    first = {"from C": 1, "from Python": 1}
    assert counts("py.h5", 2, "finalize", "reset") == {"py.h5": first, "c.h5": {"from C": 2}}


def test_what_comes_after_does_not_replace_what_python_wrote(counts):
    first = {"from C": 1, "from Python": 1}
    assert counts("c.h5", 2, "finalize", "reset") == {"c.h5": first, "c.2.h5": {"from C": 2}}


@pytest.mark.parametrize("words, after", [(("finalize", "reset"), 0), (("finalize",), 3)])
def test_a_written_recording_leaves_one_file(counts, words, after):
    assert counts("py.h5", after, *words) == {"py.h5": {"from C": 1, "from Python": 1}}


def test_a_recording_that_python_did_not_write_is_all_of_its_starter(counts):
    assert counts("py.h5", 2, "reset") == {"c.h5": {"from C": 3, "from Python": 1}}
