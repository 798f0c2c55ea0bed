"""What tests of the Python package share.

SPDX-License-Identifier: MIT
"""
import pytest


@pytest.fixture
def sp(tmp_path, monkeypatch):
    """The package as a program finds it: nothing set up, in an empty folder."""
    import scope_profiler

    for name in ("CONFIG", "OUTPUT", "RECURSIVE", "AUTO_FINALIZE", "ENABLE_TAGS", "MPI"):
        monkeypatch.delenv(f"SCOPE_PROFILER_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    scope_profiler.ProfileManager._reset()
    yield scope_profiler
    scope_profiler.ProfileManager._reset()
