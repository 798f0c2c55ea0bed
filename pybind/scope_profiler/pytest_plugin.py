"""pytest --scope-profile: each test is a region, `pytest::<nodeid>::<phase>`.

It records with a manager of its own: tests that profile on their own do as they would.
Nothing is imported or recorded without the option.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import nullcontext

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OUTPUT = "pytest-profile.h5"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("scope-profiler")
    group.addoption(
        "--scope-profile",
        action="store_true",
        help="record the tests as regions with scope-profiler",
    )
    group.addoption(
        "--scope-profile-out", metavar="FILE", default=_OUTPUT, help=f"profile to write ({_OUTPUT})"
    )
    group.addoption(
        "--scope-profile-config", metavar="FILE", help="TOML file with settings of scope-profiler"
    )
    group.addoption(
        "--scope-profile-phases",
        choices=("call", "all"),
        default="call",
        help="the tests' calls alone, or setup and teardown, too (call)",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--scope-profile"):
        config.pluginmanager.register(_Recorder(config), "scope-profiler-recorder")


class _Recorder:
    """The hooks of one run that records."""

    def __init__(self, config: pytest.Config) -> None:
        option = config.getoption
        if (
            hasattr(config, "workerinput")
            or option("numprocesses", None)
            or (option("dist", "no") != "no")
        ):
            raise pytest.UsageError("--scope-profile records one process: run it without xdist")
        self.config = config
        self.output: str = option("--scope-profile-out")
        self.all_phases = option("--scope-profile-phases") == "all"
        folder = os.path.dirname(os.path.abspath(self.output))
        if not os.path.isdir(folder):
            raise pytest.UsageError(f"--scope-profile-out: there is no folder {folder}")
        from .manager import ProfileManager

        self.manager = ProfileManager()
        self.told = ""
        try:
            self.manager.setup(
                file_path=self.output,
                label="pytest",
                config_path=option("--scope-profile-config"),
            )
        except (NotImplementedError, OSError, TypeError, ValueError) as error:
            raise pytest.UsageError(f"--scope-profile: {error}") from None

    def around(self, item: pytest.Item, phase: str) -> Any:
        """The region of a phase; one that is not asked for is not recorded."""
        if phase != "call" and not self.all_phases:
            return nullcontext()
        file, line, _ = item.location
        return self.manager._engine.region(
            f"pytest::{item.nodeid}::{phase}",
            source=(str(file), -1 if line is None else line + 1, ""),
        )

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        with self.around(item, "setup"):
            yield

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        with self.around(item, "call"):
            yield

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, None, None]:
        with self.around(item, "teardown"):
            yield

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        if self.config.option.collectonly:
            self.manager.reset()
            return
        try:
            self.manager.finalize(verbose=False)
            self.told = f"wrote {self.output}"
        except (OSError, RuntimeError, ValueError) as error:
            self.told = f"nothing was written: {error}"
        self.manager.reset()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.told:
            terminalreporter.write_line(f"scope-profiler: {self.told}")
