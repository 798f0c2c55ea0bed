"""The settings of a setup, from keywords, options, TOML and the environment."""

from __future__ import annotations

import os

from . import options as _options
from ._files import HTML_SUFFIXES, is_json_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STAND_IN = ".scope-profiler.h5"  # config.file_path of an output that is not HDF5


def settings_of(
    options: Any, output: Any, unset: Any, config_path: Any, overrides: dict[str, Any]
) -> tuple[dict[str, Any], str]:
    """The settings that are given, and the file that the user gets."""
    unknown = [name for name in overrides if name not in _options.DEFAULTS]
    if unknown:
        raise TypeError(_options.unknown_settings(unknown))
    keywords = {name: value for name, value in overrides.items() if value is not None}
    if output is not unset:
        for name in ("file_path", "deactivate_file_output"):
            if name in keywords:
                raise TypeError(f"output cannot be combined with {name}; give one of them")
    settings: dict[str, Any] = {}
    if config_path is not None:
        from .profile_config import load_profiling_config

        settings.update(load_profiling_config(config_path))
    if options is not None:
        if not isinstance(options, _options.ProfilingOptions):
            raise TypeError(f"options is a ProfilingOptions, not a {type(options).__name__}")
        settings.update(options.to_kwargs())
    settings.update(keywords)
    if output is None:
        settings["deactivate_file_output"] = True
    elif output is not unset:
        settings["file_path"] = output
        settings["deactivate_file_output"] = False
    path = os.fspath(settings.get("file_path", _options.DEFAULTS["file_path"]))
    wanted = os.fsdecode(path)
    if wanted.lower().endswith(HTML_SUFFIXES):
        raise NotImplementedError(
            f"output {wanted!r}: this version does not have the HTML report; write .h5 or .json"
        )
    settings["file_path"] = wanted + STAND_IN if is_json_path(wanted) else wanted
    return settings, wanted


def from_environment(overrides: dict[str, Any]) -> dict[str, Any]:
    """The keywords of setup_from_env: the environment's, but for what `overrides` says."""
    found: dict[str, Any] = {}
    config = os.environ.get("SCOPE_PROFILER_CONFIG")
    output = os.environ.get("SCOPE_PROFILER_OUTPUT")
    if config:
        found["config_path"] = config
    if output and not {"output", "file_path", "deactivate_file_output"}.intersection(overrides):
        found["output"] = output
    for name, setting in (("RECURSIVE", "recursive_profile"), ("AUTO_FINALIZE", "auto_finalize")):
        text = os.environ.get(f"SCOPE_PROFILER_{name}")
        if text is not None:
            found[setting] = text.strip().lower() in ("1", "true", "yes", "on")
    return {**found, **overrides}
