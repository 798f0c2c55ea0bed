"""_record under a memory sanitizer, and under every Python that is here.

Each builds the extension in build/ first; what is missing is said.

SPDX-License-Identifier: MIT
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STORM = ROOT / "tests" / "support" / "record_storm.py"
VERSIONS = ["3.10", "3.11", "3.12", "3.13"]


def find_python(version):
    """A Python of that version with its headers, and without an environment's extras."""
    folder = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = [shutil.which(f"python{version}"), *folder.glob(f"{version}.*/bin/python{version}")]
    ask = "import sysconfig, sys; print(sysconfig.get_path('include'), *sys.version_info[:2])"
    for python in filter(None, named):
        done = subprocess.run([python, "-c", ask], capture_output=True, text=True, timeout=300)
        words = done.stdout.split()
        if (
            done.returncode == 0
            and ".".join(words[1:]) == version
            and (Path(words[0]) / "Python.h").exists()
        ):
            return str(python)
    return None


def build(name, python, *options):
    """A folder for PYTHONPATH with _record alone."""
    if not (shutil.which("cmake") and shutil.which("ninja")):
        pytest.skip("cmake or ninja is missing")
    folder = ROOT / "build" / f"record-{name}"
    run = dict(check=True, capture_output=True, text=True, timeout=600)
    try:
        subprocess.run(
            [
                "cmake",
                "-S",
                ROOT,
                "-B",
                folder,
                "-G",
                "Ninja",
                "-DSCOPE_PYTHON=ON",
                "-DSCOPE_MPI=OFF",
                "-DSCOPE_FORTRAN=OFF",
                "-DSCOPE_TESTS=OFF",
                f"-DPython_EXECUTABLE={python}",
                *options,
            ],
            **run,
        )
        subprocess.run(["ninja", "-C", folder, "-j", "2", "_record"], **run)
    except subprocess.CalledProcessError as error:
        pytest.fail(f"{error.stdout[-4000:]}\n{error.stderr[-2000:]}")
    package = folder / "package" / "scope_profiler"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    for extension in (folder / "pybind").glob("_record*.so"):
        link = package / extension.name
        link.unlink(missing_ok=True)
        link.symlink_to(extension)
    return str(package.parent)


def storm(python, seconds, **environment):
    done = subprocess.run(
        [python, "-X", "dev", str(STORM), str(seconds)],
        capture_output=True,
        text=True,
        timeout=seconds + 240,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0 and "steps" in done.stdout, (
        done.stdout[-500:],
        done.stderr[-6000:],
    )
    assert "Error" not in done.stderr, done.stderr[-6000:]


def test_random_operations_are_clean_under_the_address_sanitizer():
    compiler = shutil.which(os.environ.get("CC", "cc"))
    library = (
        compiler
        and subprocess.run(
            [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, timeout=300
        ).stdout.strip()
    )
    if not library or not os.path.isabs(library):
        pytest.skip("no libasan")
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        pytest.skip("no Python.h")
    folder = build(
        "asan",
        sys.executable,
        "-DSCOPE_SANITIZE=address,undefined",
        "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
    )
    storm(
        sys.executable,
        30,
        PYTHONPATH=folder,
        LD_PRELOAD=library,
        PYTHONMALLOC="malloc",
        ASAN_OPTIONS="detect_leaks=0:abort_on_error=0",
        UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1",
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_random_operations_are_clean_under_each_python(version):
    python = find_python(version)
    if not python:
        pytest.skip(f"no Python {version} with headers")
    storm(python, 5, PYTHONPATH=build(version, python))


ISOLATED = """if True:
    import sys, threading
    try:
        import _interpreters as interpreters
        new = lambda: interpreters.create("isolated")
    except ImportError:
        import _xxsubinterpreters as interpreters
        new = lambda: interpreters.create(isolated=True)
    script = '''if True:
        import sys, threading
        sys.path[:] = %r
        from scope_profiler import _record
        for _ in range(20):
            session = _record.Session(memory_only=True, lanes=_record.TASKS)
            region = session.add_region("a")
            _record.install_threads()
            def work():
                for _ in range(500):
                    with region:
                        pass
            threads = [threading.Thread(target=work) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert region.num_calls == region.num_exits == 1000
            _record.uninstall_threads()
            session.close()
    ''' % (sys.path,)
    def work():
        made = new()
        failed = interpreters.run_string(made, script)
        assert failed is None, failed
        interpreters.destroy(made)
        done.append(made)
    done = []
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("steps", len(done))
"""


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_interpreters_with_a_gil_of_their_own_record_at_one_time(version):
    python = find_python(version)
    if not python:
        pytest.skip(f"no Python {version} with headers")
    done = subprocess.run(
        [python, "-c", ISOLATED],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": build(version, python)},
    )
    assert done.returncode == 0 and done.stdout == "steps 4\n", done.stderr[-6000:]
