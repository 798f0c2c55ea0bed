"""tests/CASES.md: every case has a test by its id, and every test it names is there.

SPDX-License-Identifier: MIT
"""
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
PAGE = (TESTS / "CASES.md").read_text()
ROWS = dict(re.findall(r"^\| (K\d\d) \|(.*)\|$", PAGE, re.M))


def ids_in_names():
    """{id: the files whose tests have it in their names}."""
    found = {}
    for path in TESTS.rglob("test_*.py"):
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.M):
            for number in re.findall(r"_k(\d\d)(?=_)", name):
                found.setdefault(f"K{number}", set()).add(str(path.relative_to(TESTS)))
    return found


def test_every_case_is_on_the_page():
    assert list(ROWS) == [f"K{number:02}" for number in range(1, 40)]


@pytest.mark.parametrize("case", ROWS)
def test_a_case_has_a_test_or_a_reason(case):
    files = ids_in_names().get(case, set())
    if "no test" in ROWS[case]:
        assert not files, "there is one"
    else:
        assert files and all(f"`{name}`" in ROWS[case] for name in files), f"{case}: {files}"


def test_no_test_has_an_unknown_id():
    assert set(ids_in_names()) <= set(ROWS)


def test_every_test_that_the_page_names_is_there():
    named = re.findall(r"`([\w/]+/(?:test_)?\w+\.(?:py|c|md))(?:::(\w+))?`", PAGE)
    assert len(named) > 50
    for path, name in named:
        assert (TESTS / path).exists(), path
        assert not name or f"def {name}" in (TESTS / path).read_text(), f"{path}::{name}"
