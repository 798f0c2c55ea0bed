"""What is exported, opened by the programs that people open it with.

speedscope (npm) and snakeviz (PyPI) are fetched once into build/viewers; both are pages, which
Debian's Chromium shows. The Chrome file is opened by speedscope too, which reads that format
with code of its own, and each of its events is held against the Trace Event Format.

SPDX-License-Identifier: MIT
"""
import base64
import importlib.util
import json
import math
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from urllib.parse import quote

import pytest

from support.browser import Browser
from support.jobs import environment, run

HERE = Path(__file__).parent / "python"
VIEWERS = Path(__file__).resolve().parents[2] / "build" / "viewers"
SPEEDSCOPE = "1.25.0"
PACKAGES = ("snakeviz==2.2.2", "jsonschema==4.26.0")

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def folder(install, tmp_path_factory):
    """One recording of threads and tasks in all formats."""
    if importlib.util.find_spec("scope_profiler") is None:
        pytest.skip("the install has no Python package for this Python")
    made = tmp_path_factory.mktemp("viewers")
    run([sys.executable, HERE / "viewer_app.py", made])
    return made


@pytest.fixture(scope="module")
def lanes(folder):
    """{lane: {region: (calls, seconds, seconds but for its callees)}} of that recording."""
    from scope_profiler import read_h5
    from scope_profiler.call_stack import build_call_arrays, split_by_lane
    results, found = read_h5(folder / "run.h5"), {}
    threads = {-2 - thread.index: thread.name for thread in results.threads[0]}
    tasks = {task.index: f"{task.name} ({task.coro_name}) on MainThread" for task in results.tasks[0]}
    for lane, calls in split_by_lane(build_call_arrays(results.get_regions(), 0)):
        regions = found.setdefault({**threads, **tasks}[lane], {})
        for region, start, end, exclusive in zip(
                calls.region_index, calls.start_ns, calls.end_ns, calls.exclusive_ns):
            count, total, own = regions.get(calls.names[region], (0, 0, 0))
            regions[calls.names[region]] = (count + 1, total + (end - start) * 1e-9, own + exclusive * 1e-9)
    assert len(found) == 11 and sum(len(regions) for regions in found.values()) == 2 * 13 + 14 + 8 * 2
    return found


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    program = shutil.which("chromium")
    if not program:
        pytest.skip("no chromium here (Debian: chromium)")
    page = Browser(program, tmp_path_factory.mktemp("chromium"))
    yield page
    page.close()


def fetched(name, fetch):
    """build/viewers/NAME, which fetch(an empty folder) fills the first time."""
    there = VIEWERS / name
    if not there.exists():
        VIEWERS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=VIEWERS) as made:
            try:
                fetch(Path(made, "new"))
            except (AssertionError, OSError) as error:
                pytest.skip(f"{name} is not here and cannot be fetched: {str(error)[-200:]}")
            try:
                Path(made, "new").rename(there)
            except OSError: # another run was faster
                assert there.exists()
    return there


@pytest.fixture(scope="module")
def speedscope(browser):
    """The folder of speedscope's page."""
    if not shutil.which("npm"):
        pytest.skip("no npm here (Debian: npm)")

    def fetch(folder):
        folder.mkdir()
        run(["npm", "pack", "--silent", f"speedscope@{SPEEDSCOPE}"], cwd=folder)
        with tarfile.open(next(folder.glob("*.tgz"))) as archive:
            archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))

    return fetched(f"speedscope-{SPEEDSCOPE}", fetch) / "package" / "dist" / "release"


@pytest.fixture(scope="module")
def packages():
    """A folder with snakeviz and jsonschema."""
    version = "-".join(PACKAGES).replace("==", "-") + f"-py{sys.version_info[0]}.{sys.version_info[1]}"
    return fetched(version, lambda folder: run(
        [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", folder,
         *PACKAGES], timeout=100))


# ---- speedscope ----


ROWS = """[...document.querySelectorAll('tr')].map(row => [...row.cells].map(cell => cell.textContent))
          .filter(cells => cells.length == 3 && /^[0-9.]+[nµm]?s /.test(cells[0]))"""
TOOLTIP = r"[0-9.]+[nµm]?s \(.*%\) "
PROFILES = "[...document.querySelectorAll('tr[title]')].map(row => row.title)"


def view(browser, name, kind):
    """Click on the profile of that name and on that kind of view."""
    browser.evaluate(f"""[...document.querySelectorAll('tr')].find(row => row.title == {json.dumps(name)})
                         .dispatchEvent(new MouseEvent('mouseup', {{bubbles: true}}))""")
    browser.wait(f"""[...document.querySelectorAll('span')].some(span =>
                     /^ \\([0-9]+.[0-9]+\\)$/.test(span.textContent.replace({json.dumps(name)}, '')))""")
    browser.evaluate(f"[...document.querySelectorAll('div')].find(d => /^\\W*{kind}$/.test(d.textContent)).click()")


def opened(browser, speedscope, path, tmp_path):
    """Have speedscope open the file as its own command does; then one lane after the other,
    {name of the profile: [(total, self, name)] of its table}."""
    loader = tmp_path / "load.js"
    content = base64.b64encode(path.read_bytes()).decode()
    loader.write_text(f"speedscope.loadFileFromBase64({json.dumps(path.name)}, {json.dumps(content)})")
    browser.open(f"{(speedscope / 'index.html').as_uri()}#view=sandwich&localProfilePath={quote(str(loader))}")
    browser.wait(f"{ROWS}.length > 0")
    found = {}
    for name in browser.evaluate(PROFILES):
        view(browser, name, "Sandwich")
        assert name not in found
        found[name] = browser.wait(ROWS)
    assert browser.errors == []
    return found


def seconds(text):
    """'1.23ms (4%)'"""
    value, unit = re.match(r"([0-9.]+)(ns|µs|ms|s) \(", text).groups()
    return float(value) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def test_speedscope_shows_each_lane_with_its_regions_and_times(browser, speedscope, folder, lanes, tmp_path):
    found = opened(browser, speedscope, folder / "run.speedscope.json", tmp_path)
    assert browser.evaluate("document.title") == "odd </title> & names - speedscope"
    assert sorted(found) == sorted(f"rank 0 - {lane}" for lane in lanes)
    for lane, regions in lanes.items():
        table = {name: (seconds(total), seconds(own)) for total, own, name in found[f"rank 0 - {lane}"]}
        assert set(table) == set(regions)
        for name, (_, total, own) in regions.items():
            assert table[name] == pytest.approx((total, own), rel=0.006, abs=2e-9), name


def test_speedscope_draws_the_calls_as_boxes_one_below_the_other(browser, speedscope, folder, lanes, tmp_path):
    path, lane = folder / "run.speedscope.json", "task it's (fetch) on MainThread"
    opened(browser, speedscope, path, tmp_path)
    view(browser, f"rank 0 - {lane}", "Time Order")
    profile = next(one for one in json.loads(path.read_text())["profiles"] if one["name"].endswith(lane))
    inside = sum(event["at"] for event in profile["events"][1:3]) / 2 - profile["startValue"]
    x = browser.evaluate("innerWidth") * inside / (profile["endValue"] - profile["startValue"])
    said = {}
    for y in (150, 170): # below minimap and scale a row of boxes for each depth
        for jitter in range(100): # a move that comes before the chart is laid out says nothing
            browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + jitter % 2, y=y)
            lines = browser.evaluate("document.body.innerText").splitlines()
            shown = [line for line in lines if re.match(TOOLTIP, line)]
            if shown and (name := shown[0].split(") ", 1)[1]) not in said:
                said[name] = seconds(shown[0])
                break
    assert list(said) == ["fetch", "it's"]
    for name, (_, total, _) in lanes[lane].items():
        assert said[name] == pytest.approx(total, rel=0.006)


def test_the_speedscope_file_follows_its_schema(speedscope, packages, folder):
    schema = speedscope / "file-format-schema.json"
    check = "import json, sys, jsonschema; jsonschema.validate(*(json.load(open(p)) for p in sys.argv[1:]))"
    run([sys.executable, "-c", check, folder / "run.speedscope.json", schema],
        env=environment(PYTHONPATH=packages))


def test_speedscope_reads_the_chrome_file_as_the_same_calls(browser, speedscope, folder, lanes, tmp_path):
    found = opened(browser, speedscope, folder / "run.trace.json", tmp_path)
    mine = {re.fullmatch(r"rank 0 \(pid 0\), (.*) \(tid \d+\)", name, re.S)[1]: rows
            for name, rows in found.items()}
    assert set(mine) == set(lanes)
    for lane, regions in lanes.items():
        counted = {name: [0, 0, 0] for name in regions}
        for total, own, text in mine[lane]: # a row for each call: its name and its arguments
            name = max((name for name in regions if text.startswith(name + ' {"')), key=len)
            assert json.loads(text[len(name):])["rank"] == 0
            for index, value in enumerate((1, seconds(total), seconds(own))):
                counted[name][index] += value
        for name, expected in regions.items():
            assert counted[name] == pytest.approx(expected, rel=0.006, abs=2e-8), name


# ---- the Chrome file, against the Trace Event Format ----


METADATA = {"process_name": "name", "thread_name": "name", "process_labels": "labels",
            "process_sort_index": "sort_index", "thread_sort_index": "sort_index"}
NUMBER = (int, float)


def strict(text):
    """JSON as the standard has it: no NaN, no key twice."""
    def once(pairs):
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)

    def no_constant(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, object_pairs_hook=once, parse_constant=no_constant)


def test_the_chrome_file_follows_the_trace_event_format(folder, lanes):
    document = strict((folder / "run.trace.json").read_bytes().decode("utf-8"))
    assert document["displayTimeUnit"] in ("ms", "ns") and isinstance(document["traceEvents"], list)
    tracks, names = {}, {}
    for event in document["traceEvents"]:
        assert isinstance(event["name"], str) and isinstance(event["args"], dict)
        for key in ("pid", "tid"):
            assert type(event[key]) is int and 0 <= event[key] < 2 ** 31
        if event["ph"] == "M":
            assert not set(event) - {"name", "ph", "pid", "tid", "args", "cat", "ts"}
            wanted = METADATA[event["name"]]
            assert isinstance(event["args"][wanted], int if wanted == "sort_index" else str)
            if event["name"] == "thread_name":
                assert names.setdefault((event["pid"], event["tid"]), event["args"]["name"]) == event["args"]["name"]
        else: # a complete event; microseconds
            assert event["ph"] == "X" and isinstance(event["cat"], str)
            assert not set(event) - {"name", "cat", "ph", "pid", "tid", "ts", "dur", "args", "cname", "tts", "tdur"}
            for key in ("ts", "dur"):
                assert type(event[key]) in NUMBER and math.isfinite(event[key]) and event[key] >= 0
            tracks.setdefault((event["pid"], event["tid"]), []).append(event)
    assert sorted(names[track] for track in tracks) == sorted(lanes)
    for events in tracks.values():
        assert_nested(events)


def assert_nested(events):
    """Viewers draw what overlaps in part as if it were inside."""
    open_until = []
    for start, end in sorted(((e["ts"], e["ts"] + e["dur"]) for e in events), key=lambda pair: (pair[0], -pair[1])):
        while open_until and open_until[-1] <= start + 5e-4: # half a nanosecond: sums of doubles
            open_until.pop()
        assert not open_until or end <= open_until[-1] + 5e-4
        open_until.append(end)


# ---- pstats ----


@pytest.fixture
def snakeviz(packages, folder):
    """The address of a snakeviz server for the folder, on loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = folder / "tame_rank0.prof"
    server = subprocess.Popen(
        [sys.executable, "-m", "snakeviz", "-s", "-H", "127.0.0.1", "-p", str(port), str(path)],
        env=environment(PYTHONPATH=packages), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    try:
        assert b"started" in server.stdout.readline()
        yield f"http://127.0.0.1:{port}/snakeviz/{quote(str(path), safe='')}"
    finally:
        server.kill()
        server.communicate()


def test_snakeviz_shows_each_call_path(browser, snakeviz, folder):
    import scope_profiler
    stats = scope_profiler.load_prof(folder / "tame_rank0.prof").stats
    browser.open(snakeviz)
    browser.wait("document.querySelectorAll('svg rect, svg path').length")
    # The table's data, not its rows: it shows some at a time, and folds white space.
    rows = browser.evaluate("$('#pstats-table').DataTable().data().toArray().map(row => [row[0], row[3], row[6]])")
    found = {name: (calls[1], float(seconds)) for calls, seconds, name in rows}
    assert set(found) == {"{}:{}({})".format(*key) for key in stats}
    for key, (_, calls, _, total, _) in stats.items():
        name = "{}:{}({})".format(*key)
        assert found[name] == (calls, pytest.approx(total, rel=1e-3)), name
    assert browser.errors == []
