"""Names of any bytes, from the program to every reader and every export and back.

SPDX-License-Identifier: MIT
"""
import csv
import io
import json
import pstats
import struct
from collections import Counter
from pathlib import Path

import pytest

from support.jobs import environment, read_075, run
from support.profile import Profile

PROGRAM = Path(__file__).resolve().parents[1] / "jobs" / "any_names.c"

NAMES = [
    b"", b" ", b"   ", b" lead", b"trail ", b"nul\0inside", b"\0", b"two\nlines", b"cr\r\nlf", b"\ttab",
    b"\x1b[31mred\x1b[0m", b"\x07", b"\x7f", b"\xc2\x85next line", b"\xe2\x80\xa8line separator",
    b"a\xff", b"a\\xff", b"\xff\xfe", b"\x80", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xed\xb2\x80",
    b"\xf4\x90\x80\x80", b"\xe6\x97", b"\xf0\x9f\x98\x80", "日本語".encode(), "\u202eright to left".encode(),
    "\ufeffmark".encode(), "e\u0301".encode(), "\u00e9".encode(), b'"', b'""', b",", b"a,b;c", b"'", b"\\", b"\\n",
    b"\\u0041", b"=cmd|' /C calc'!A0", b"@SUM(1)", b"+1", b"-1", b'{"a": 1}', b"</script>", b"a/b/c", b"/", b".",
    b"..", b"%s%n", b"(other)", b"name", b"name (2)", b"\xff" * 5000, b"x" * 2**20,
]
CALLS = {name: i % 3 + 1 for i, name in enumerate(NAMES)}


def shown(name, nul=True):
    """As text: bytes that are no UTF-8, and NUL in the file, as \\xNN."""
    text = name.decode("utf-8", "backslashreplace")
    return text.replace("\0", "\\x00") if nul else text


def told_apart(names):
    """The same for all of a file: what reads like an earlier one has a number."""
    result = {}
    for name in names:
        text = shown(name)
        result[name] = text if text not in result.values() else f"{text} (2)"
    return result


def printed(name):
    """On a terminal and in CSV: control characters escaped too."""
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    text = ""
    for c in name.decode("utf-8", "backslashreplace"):
        control = ord(c) < 32 or 127 <= ord(c) < 160
        text += (short.get(c) or "".join(f"\\x{b:02x}" for b in c.encode())) if control else c
    return text


@pytest.fixture(scope="module")
def folder(install, tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    (folder / "names").write_bytes(b"".join(struct.pack("<I", len(n)) + n for n in NAMES))
    install.compile(PROGRAM, folder / "program", ["-pthread"])
    for how, output in (("end", "whole.h5"), ("kill", "killed.h5")):
        run([folder / "program", folder / "names", how], check=how == "end", cwd=folder, env=environment(
            SCOPE_OUTPUT=output, SCOPE_SPOOL_DIR=folder, SCOPE_LABEL='a "label",\n\x1b[1mbold'))
    return folder


def exact_counts(profile):
    counts = Counter()
    for pair, region in enumerate(profile.index["region_ids"].tolist()):
        counts[profile.exact_names[region]] += int(profile.index["event_counts"][pair])
    return {name: count for name, count in counts.items() if not name.startswith(b"in a ")}


def check_file(path):
    """Regions by their bytes, all else as text."""
    profile = Profile(path).check()
    assert exact_counts(profile) == CALLS
    assert dict(zip(profile.exact_names, profile.names)) == told_apart(profile.exact_names)
    for kind in ("marks", "counters"):
        assert [n.decode() for n in profile.scope[f"{kind}/names"].tolist()] == [shown(n) for n in NAMES]
    assert profile.scope["counters/values"].tolist() == list(range(len(NAMES)))
    without = [n for n in NAMES if b"\0" not in n]
    assert [task["name"] for task in profile.tasks] == [shown(n) for n in without]
    threads = [thread["name"] for thread in profile.threads[1:]]
    assert threads == [shown(n) for n in without if 0 < len(n) < 16]
    return profile


def test_the_file_has_all_of_them(folder):
    assert check_file(folder / "whole.h5").metadata["label"] == 'a "label",\n\x1b[1mbold'


def test_the_spool_of_a_killed_program_has_all_of_them(install, folder):
    run([install.scope, "recover", folder, "-o", folder / "recovered.h5"], cwd=folder)
    check_file(folder / "recovered.h5")


def test_a_merged_file_has_all_of_them(install, folder):
    run([install.scope, "merge", folder / "whole.h5", "-o", folder / "merged.h5"], cwd=folder)
    check_file(folder / "merged.h5")


def test_inspect_tells_all_of_them(install, folder):
    found = json.loads(run([install.scope, "inspect", "--json", folder / "whole.h5"]).stdout)
    wanted = Counter(shown(name) for name in NAMES)
    names = Counter(region["name"] for region in found["regions"])
    assert {n: c for n, c in names.items() if not n.startswith("in a ")} == wanted
    text = run([install.scope, "inspect", "--limit=0", folder / "whole.h5"]).stdout
    assert not any(ord(c) < 32 and c != "\n" for c in text), "no control character reaches a terminal"
    csv.field_size_limit(2**24)
    text = run([install.scope, "inspect", "--csv", folder / "whole.h5"]).stdout
    rows = [row for row in csv.DictReader(io.StringIO(text, newline="")) if row["rank"] == "all"]
    assert Counter(row["name"] for row in rows if not row["name"].startswith("in a ")) == \
        Counter(printed(name) for name in NAMES)


def exported(install, folder, format, name):
    run([install.scope, "export", format, folder / "whole.h5", "-o", folder / name], cwd=folder)
    return folder / name


def without_own(names):
    return sorted(name for name in names if not name.startswith("in a "))


@pytest.fixture(scope="module")
def texts():
    """In JSON every name reads otherwise than the others; NUL is a character like others."""
    wanted = told_apart(NAMES)
    return sorted(shown(n, nul=False) if b"\0" in n else wanted[n] for n in NAMES)


def test_viewers_get_all_of_them(install, folder, texts):
    frames = json.loads(exported(install, folder, "speedscope", "o.speedscope.json").read_bytes())
    assert without_own(frame["name"] for frame in frames["shared"]["frames"]) == texts
    events = json.loads(exported(install, folder, "chrome-trace", "o.trace.json").read_bytes())["traceEvents"]
    assert without_own({e["name"] for e in events if e["ph"] == "X"}) == texts
    exported(install, folder, "prof", "o.prof")
    stats = pstats.Stats(str(folder / "o_rank0.prof")).stats
    assert without_own(key[2] for key in stats if not key[2].endswith("rank 0>")) == texts


def test_k36_json_and_back(install, folder, texts):
    written = exported(install, folder, "json", "o.json")
    document = json.loads(written.read_bytes())
    assert without_own(region["name"] for region in document["regions"]) == texts
    run([install.scope, "merge", written, "-o", folder / "back.h5"], cwd=folder)
    back = Profile(folder / "back.h5").check()
    names = dict(zip(back.names, back.exact_names))
    assert without_own(exact.decode() for exact in names.values()) == texts
    assert without_own(back.names) == sorted(told_apart(NAMES).values())
    assert sum(back.counts().values()) == sum(Profile(folder / "whole.h5").counts().values())


def test_python_reads_their_bytes(install, folder):
    sp = pytest.importorskip("scope_profiler")
    names = [name.encode("utf-8", "surrogateescape") for name in sp.read_h5(folder / "whole.h5").region_names]
    assert sorted(n for n in names if not n.startswith(b"in a ")) == sorted(NAMES)
    sp.export_json(sp.read_h5(folder / "whole.h5"), folder / "py.json", verbose=False)
    assert len(set(sp.read_json(folder / "py.json").region_names)) == len(set(names))


def test_0_7_5_reads_them_as_text(folder):
    result = read_075("import scope_profiler as s, json\n"
                      f"print(json.dumps([sorted(r.region_names) for r in [s.read_h5({str(folder / 'whole.h5')!r})]]))")
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    assert without_own(json.loads(result.stdout)[0]) == sorted(told_apart(NAMES).values())


def test_an_execed_child_keeps_them(install, folder, tmp_path):
    """The program in the place of a shell that `scope run` started."""
    run([install.scope, "run", "-o", tmp_path / "run.h5", "sh", "-c", 'exec "$0" "$1" end', folder / "program",
         folder / "names"], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    (path,) = tmp_path.glob("*.h5*")
    check_file(path)
