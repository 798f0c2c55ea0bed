"""`scope inspect` of a file that a killed run did not come to write.

SPDX-License-Identifier: MIT
"""
import pytest

from support.jobs import environment, run
from tools.programs import build

KILLED = r"""
#include <scope/scope.h>
#include <signal.h>
int main(void)
{
    scope_init(NULL);
    scope_region_begin_name("work");
    scope_region_end_name("work");
    return raise(SIGKILL);
}
"""


@pytest.fixture
def left(install, tmp_path):
    """inspect(*words) -> its stderr, where a killed run lies."""
    program = build(install, tmp_path, "killed", KILLED)
    (tmp_path / "tmp").mkdir()
    variables = environment(SCOPE_SPOOL_DIR=tmp_path / "tmp")
    run([program], check=False, cwd=tmp_path, env=variables)

    def inspect(*words, command=None, **extra):
        done = run(command or [install.scope, "inspect", *words], check=False, cwd=tmp_path, env={**variables, **extra})
        assert command or done.returncode == 1
        return done.stderr

    return inspect


def test_the_command_in_the_line_makes_the_file(install, tmp_path, left):
    folder = next((tmp_path / "tmp").iterdir())
    (folder / "damaged.spool").write_bytes(b"x") # nobody asked about it
    first, second = left().splitlines()
    assert first.endswith("profiling_data.h5: No such file or directory")
    assert second.startswith("scope inspect: a run of killed that was killed, or could not write, left its recording: ")
    words = second.split("recording: ")[1].split()
    assert words[:2] == ["scope", "recover"] and words[-2:] == ["-o", "profiling_data.h5"]
    left(command=[install.scope, *words[1:]])
    assert "work" in run([install.scope, "inspect"], cwd=tmp_path).stdout


def test_another_name_in_the_folder_is_of_another_run(left):
    assert len(left("other.h5").splitlines()) == 1


def test_other_folders_have_none(tmp_path, left):
    (tmp_path / "sub").mkdir()
    assert len(left("sub/profiling_data.h5").splitlines()) == 1
    assert len(left("none/profiling_data.h5").splitlines()) == 1
