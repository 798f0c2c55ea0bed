"""The Python package is typed: mypy finds nothing to say.

SPDX-License-Identifier: MIT
"""
import importlib.util
import sys
from pathlib import Path

import pytest

from support.jobs import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="no mypy here")
def test_mypy_is_content(tmp_path):
    result = run([sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml",
                  "--cache-dir", tmp_path], timeout=300, check=False, cwd=ROOT)
    assert result.stdout.splitlines()[-1].startswith("Success"), result.stdout
