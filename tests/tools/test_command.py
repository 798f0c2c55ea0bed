"""The command itself: help, versions, wrong use.

SPDX-License-Identifier: MIT
"""
import pytest

from support.jobs import environment, run

COMMANDS = ("run", "inspect", "export", "merge", "recover", "top", "info")


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"], *[[c, "--help"] for c in COMMANDS],
                                   *[[c, "-h"] for c in COMMANDS], *[["help", c] for c in COMMANDS]])
def test_help_is_on_stdout_and_fits_80_columns(install, words):
    done = run([install.scope, *words])
    assert done.stdout.startswith("usage:") or "usage:" in done.stdout
    assert done.stderr == ""
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


@pytest.mark.parametrize("words", [["--version"], *[[c, "--version"] for c in COMMANDS]])
def test_version(install, words):
    assert run([install.scope, *words]).stdout.startswith("scope 0.")


def test_without_arguments_help_is_shown_and_the_code_is_1(install):
    done = run([install.scope], check=False)
    assert done.returncode == 1
    assert all(f"  {command} " in done.stdout for command in COMMANDS)


@pytest.mark.parametrize("words", [["frobnicate"], ["--frobnicate"], ["inspect", "--frob"], ["merge"],
                                   ["merge", "a.h5"], ["info", "x"], ["inspect", "--sort"],
                                   ["inspect", "--json", "--csv"], ["inspect", "-Q"],
                                   ["merge", "-o"], ["export"], ["export", "json"], ["export", "svg", "a.h5", "-o", "x"], ["recover", "--nope"], ["help", "nope"]])
def test_wrong_use_is_code_2_and_says_where_help_is(install, words):
    done = run([install.scope, *words], check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "--help" in done.stderr and len(done.stderr.splitlines()) == 2


def test_a_reader_that_goes_away_is_no_failure(install):
    done = run(["sh", "-c", f"{install.scope} info --table | head -1"])
    assert done.stdout.startswith("| variable")
    assert done.stderr == ""


def test_a_full_disk_is_a_failure(install):
    done = run(["sh", "-c", f"{install.scope} info > /dev/full"], check=False)
    assert done.returncode == 1
    assert "No space" in done.stderr


def test_info_names_the_install_and_every_option(install):
    done = run([install.scope, "info"], env=environment(SCOPE_LABEL="a label", SCOPE_OUTPT="x"))
    assert str(install.prefix) in done.stdout
    assert "libscope_hdf5_writer.so" in done.stdout and "MISSING" not in done.stdout
    assert "a label" in done.stdout and "environment" in done.stdout
    assert "SCOPE_OUTPT (did you mean SCOPE_OUTPUT?)" in done.stderr
    assert "\x1b" not in done.stdout
    table = run([install.scope, "info", "--table"]).stdout
    for line in table.splitlines()[2:]:
        name = line.split("`")[1]
        assert name.startswith("SCOPE_") and name in done.stdout


def test_info_says_when_a_kill_would_lose_data(install):
    assert "scope recover" in run([install.scope, "info"]).stdout
    for extra in ({"SCOPE_SPOOL": "0"}, {"SCOPE_SPOOL_DIR": "/nonexistent"}):
        assert "is lost" in run([install.scope, "info"], env=environment(**extra)).stdout
