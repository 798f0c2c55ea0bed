"""Who may read what, and what somebody else plants in a shared folder.

Another user is a process under another uid (setpriv): that needs root.

SPDX-License-Identifier: MIT
"""
import os
import shutil
import stat
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from support.jobs import environment, run
from support.profile import Profile

CALLS = Counter({"work": 20000, "inner": 20000, "main loop": 1})
USER, OTHER = 65533, 65532  # uids that nobody has
PRIVATE = "is not a folder that only this user can enter"


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


class Shared:
    """A folder like /tmp, but without its sticky bit: anybody may do anything in it."""

    def __init__(self, install, build, folder):
        self.install, self.folder = install, folder
        # /root may be closed to others: they get a copy
        self.program = shutil.copy(build("exits.c"), folder / "exits")
        self.home = {}
        for uid in (USER, OTHER):
            self.home[uid] = folder / f"home-{uid}"
            self.home[uid].mkdir(mode=0o700)
            os.chown(self.home[uid], uid, uid)

    def as_user(self, uid, command, check=True, **extra):
        env = environment(HOME=self.home[uid], TMPDIR=self.folder, **extra)
        return run(["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", *command], check=check,
                   cwd=self.home[uid], env=env)

    def plant(self, uid, path, link=None, mode=0o666, content=b"planted"):
        """A file of another user, or a symbolic link to `link`."""
        if link:
            path.symlink_to(link)
        else:
            path.write_bytes(content)
            path.chmod(mode)
        os.chown(path, uid, uid, follow_symlinks=False)
        return path

    def spool_of(self, uid, **extra):
        """The spool of a killed program of that user, below the shared folder."""
        self.as_user(uid, [self.program, "kill"], check=False, SCOPE_SPOOL_DIR=self.folder, **extra)
        return next((self.folder / f"scope-{uid}").glob("*.spool"))

    def spools(self):
        return list(self.folder.glob("scope-*/*.spool"))


@pytest.fixture
def shared(install, build):
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("needs root and setpriv to be another user")
    folder = Path(tempfile.mkdtemp(prefix="scope-shared-", dir="/tmp"))
    folder.chmod(0o777)
    one = Shared(install, build, folder)
    if one.as_user(USER, [one.program, "exit"], check=False, SCOPE_ENABLE=0).returncode != 7 or \
            one.as_user(USER, [install.scope, "--version"], check=False).returncode:
        shutil.rmtree(folder)
        pytest.skip("another user cannot reach this install")
    yield one
    shutil.rmtree(folder)


# ---- the program ----

def test_modes(build, place):
    """The spool is its user's alone, the file as the umask says."""
    place.run(["sh", "-c", f"umask 0; exec {build('exits.c')} kill"], check=False)
    assert mode(place.spools()[0]) == 0o600 and mode(place.spools()[0].parent) == 0o700
    assert place.spools()[0].parent.name == f"scope-{os.geteuid()}"
    for umask, wanted in (("022", 0o644), ("027", 0o640), ("0", 0o666), ("077", 0o600)):
        place.run(["sh", "-c", f"umask {umask}; exec {build('exits.c')} return"])
        assert mode(place.output) == wanted


def test_a_folder_that_others_may_enter_is_not_used(build, place):
    folder = place.spool / f"scope-{os.geteuid()}"
    for bad in (0o755, 0o710, 0o701, 0o777):
        folder.mkdir()
        folder.chmod(bad)
        result = place.run([build("exits.c"), "return"])
        assert result.stderr.startswith("scope: recording in memory: ") and PRIVATE in result.stderr
        assert result.stderr.endswith("; a kill would lose it\n") and result.stderr.count("\n") == 1
        assert place.profile().counts() == CALLS
        assert list(folder.iterdir()) == [] and mode(folder) == bad
        folder.rmdir()


@pytest.mark.parametrize("kind", ["folder", "open folder", "link", "file"])
def test_a_planted_spool_folder_is_not_used(shared, kind):
    name = shared.folder / f"scope-{USER}"
    if kind.endswith("folder"):
        name.mkdir()
        name.chmod(0o777 if kind == "open folder" else 0o700)
        os.chown(name, OTHER, OTHER)
    elif kind == "link":  # to a folder that would do
        good = shared.home[USER] / f"scope-{USER}"
        good.mkdir(mode=0o700)
        os.chown(good, USER, USER)
        shared.plant(OTHER, name, link=good)
    else:
        shared.plant(OTHER, name)
    result = shared.as_user(USER, [shared.program, "return"], SCOPE_SPOOL_DIR=shared.folder,
                            SCOPE_OUTPUT=shared.home[USER] / "run.h5")
    assert result.stdout == "" and result.stderr.startswith("scope: recording in memory: ")
    assert result.stderr.count("\n") == 1
    assert PRIVATE in result.stderr or kind == "folder" and "cannot open the folder" in result.stderr
    assert Profile(shared.home[USER] / "run.h5").counts() == CALLS
    if kind == "link":
        assert list(good.iterdir()) == []


def test_the_default_place_is_refused_and_the_next_is_taken(shared):
    """$TMPDIR has a planted folder: /tmp, where this user's folder is its own."""
    (shared.folder / f"scope-{USER}").mkdir(mode=0o777)
    result = shared.as_user(USER, [shared.program, "kill"], check=False)
    left = Path("/tmp") / f"scope-{USER}"
    assert result.stderr == "" and len(list(left.glob("*.spool"))) == 1
    assert left.stat().st_uid == USER
    shutil.rmtree(left)


def test_a_planted_output_link_is_replaced(shared):
    victim = shared.home[USER] / "precious"
    victim.write_bytes(b"precious")
    os.chown(victim, USER, USER)
    target = shared.plant(OTHER, shared.folder / "run.h5", link=victim)
    shared.as_user(USER, [shared.program, "return"], SCOPE_OUTPUT=target)
    assert victim.read_bytes() == b"precious"
    assert not target.is_symlink() and Profile(target).counts() == CALLS


def test_ones_own_output_link_leads_to_the_file(build, place):
    """A name here for a file on another disk."""
    (place.folder / "disk").mkdir()
    place.output.symlink_to("disk/real.h5")
    for _ in range(2):
        place.run([build("exits.c"), "return"])
        assert place.output.is_symlink()
        assert Profile(place.folder / "disk/real.h5").counts() == CALLS
        assert [p.name for p in (place.folder / "disk").iterdir()] == ["real.h5"]


def test_a_setuid_program_listens_to_nobody(shared):
    program = shared.folder / "setuid"
    shutil.copy(shared.program, program)
    program.chmod(0o4755)
    (shared.home[USER] / "root").mkdir(mode=0o777)
    wanted = shared.folder / "chosen-by-the-user.h5"
    result = shared.as_user(USER, [program, "return"], check=False, SCOPE_OUTPUT=wanted, SCOPE_SPOOL_DIR=shared.folder,
                            SCOPE_ROOT=shared.home[USER], SCOPE_VERBOSE=1)
    made = [p for p in shared.home[USER].iterdir() if p.suffix == ".h5"]
    if made and made[0].stat().st_uid == USER:
        pytest.skip("no setuid on this file system")
    assert result.stderr == "" and not wanted.exists() and shared.spools() == []


# ---- the command line ----

def left_out(shared, *words, uid=None):
    command = [shared.install.scope, "recover", *words]
    return run(command, check=False, cwd=shared.folder) if uid is None else shared.as_user(uid, command, check=False)


def test_recover_takes_nobody_elses_spool_unasked(shared):
    """In a folder that is not its user's it is listed, and left alone; named, it is taken."""
    spool = shared.spool_of(USER)
    result = left_out(shared, shared.folder, "-o", shared.folder / "got.h5")
    assert result.returncode == 1 and not (shared.folder / "got.h5").exists()
    assert result.stderr.splitlines()[0] == \
        "scope recover: 1 spool file of other users left out: name the file, or the folder of its user"
    listed = left_out(shared, shared.folder, "--list")
    assert listed.returncode == 0 and f"of user {USER}" in listed.stdout and spool.name in listed.stdout
    for named in (spool, spool.parent):
        left_out(shared, named, "-o", shared.folder / "got.h5")
        assert Profile(shared.folder / "got.h5").counts() == CALLS
        (shared.folder / "got.h5").unlink()
    # nor do they mix: one of ours beside it
    ours = shared.folder / "scope-0"
    ours.mkdir(mode=0o700)
    run([shared.program, "kill"], check=False, env=environment(SCOPE_SPOOL_DIR=shared.folder))
    result = left_out(shared, shared.folder, "-o", shared.folder / "got.h5")
    assert result.returncode == 0 and "1 spool file of other users left out" in result.stderr


def test_a_users_own_spool_needs_no_more_words(shared):
    spool = shared.spool_of(USER, SCOPE_OUTPUT=shared.home[USER] / "run.h5")
    result = left_out(shared, spool.parent, uid=USER)
    assert result.returncode == 0 and Profile(shared.home[USER] / "run.h5").counts() == CALLS


def test_no_path_is_taken_from_another_users_spool(shared):
    """Where root could write and that user could not."""
    (shared.folder / "roots").mkdir(mode=0o700)
    target = shared.folder / "roots" / "run.h5"
    spool = shared.spool_of(USER, SCOPE_OUTPUT=target)
    for words in ([spool], [spool, "--force"], [spool.parent], [spool, "--remove"]):
        result = left_out(shared, *words)
        assert result.returncode == 1 and not target.exists() and spool.exists()
        assert "is another user's: name the file to write with -o FILE" in result.stderr
    assert list((shared.folder / "roots").iterdir()) == []


def test_a_planted_default_folder_is_not_recovered(shared):
    """scope-0 below $TMPDIR is another user's: `scope recover` by root takes nothing there."""
    spool = shared.spool_of(USER)
    spool.parent.rename(shared.folder / "scope-0")
    result = run([shared.install.scope, "recover"], check=False, cwd=shared.folder,
                 env=environment(TMPDIR=shared.folder, SCOPE_SPOOL_DIR=shared.folder))
    assert "left out" in result.stderr and list(shared.folder.glob("*.h5")) == []


def test_spools_behind_links_in_a_folder_are_not_followed(shared):
    spool = shared.spool_of(USER)
    folder = shared.folder / "named"
    folder.mkdir()
    shared.plant(OTHER, folder / "one.spool", link=spool)
    shared.plant(OTHER, folder / "scope-1", link=spool.parent)
    result = left_out(shared, folder, "--list")
    assert result.returncode == 1 and "no spool files there" in result.stderr


@pytest.mark.parametrize("kind", ["file", "link", "dangling link"])
def test_collect_is_not_fooled_by_what_lies_there(shared, kind):
    spool = shared.spool_of(USER)
    folder = shared.folder / "collected"
    folder.mkdir()
    folder.chmod(0o777)
    victim = shared.home[USER] / "precious"
    if kind != "dangling link":
        victim.write_bytes(b"p" * spool.stat().st_size)
        os.chown(victim, USER, USER)
    if kind == "file":
        shared.plant(OTHER, folder / spool.name, content=b"x" * spool.stat().st_size)
    else:
        shared.plant(OTHER, folder / spool.name, link=victim)
    result = left_out(shared, spool.parent, f"--collect={folder}", uid=USER)
    assert result.returncode == 0 and "1 recording copied" in result.stdout
    copy = folder / spool.name
    assert not copy.is_symlink() and copy.read_bytes() == spool.read_bytes()
    assert mode(copy) == 0o600 and copy.stat().st_uid == USER
    assert kind == "dangling link" and not victim.exists() or set(victim.read_bytes()) == {ord("p")}
    again = left_out(shared, spool.parent, f"--collect={folder}", uid=USER)
    assert again.returncode == 0 and "0 recordings copied" in again.stdout


def test_collect_by_root_leaves_a_spool_its_users(shared):
    """Else the copy would be trusted where the original was not."""
    spool = shared.spool_of(USER)
    (shared.folder / "collected").mkdir()
    left_out(shared, spool, f"--collect={shared.folder / 'collected'}")
    assert (shared.folder / "collected" / spool.name).stat().st_uid == USER


@pytest.mark.parametrize("words", [["export", "json"], ["export", "speedscope"], ["merge"], ["recover"]])
def test_outputs_of_the_tools_replace_planted_links(shared, words):
    source = shared.home[USER] / "run.h5"
    if words == ["recover"]:
        source = shared.spool_of(USER)
    else:
        shared.as_user(USER, [shared.program, "return"], SCOPE_OUTPUT=source)
    victim = shared.home[USER] / "precious"
    victim.write_bytes(b"precious")
    os.chown(victim, USER, USER)
    target = shared.plant(OTHER, shared.folder / "target", link=victim)
    shared.as_user(USER, [shared.install.scope, *words, source, "-o", target])
    assert victim.read_bytes() == b"precious"
    assert not target.is_symlink() and target.stat().st_uid == USER and target.stat().st_size > 1000


def test_info_leaves_nothing_in_the_spool_folder(shared):
    before = sorted(shared.folder.iterdir())
    shared.as_user(USER, [shared.install.scope, "info"], SCOPE_SPOOL_DIR=shared.folder)
    assert [p for p in sorted(shared.folder.rglob("*")) if p.name.startswith(".scope-info")] == []
    assert set(before) <= set(shared.folder.iterdir())
