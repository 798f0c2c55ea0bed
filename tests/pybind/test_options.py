"""Settings: keywords, options objects, TOML and environment; what is refused and how.

SPDX-License-Identifier: MIT
"""
import copy
import pickle

import pytest

LANES = (
    "track_threads/track_async cannot be combined with line, GPU, NVTX, LIKWID, perf events, "
    "or aggregation profiling"
)
SUMS = "aggregation_mode cannot be combined with line, GPU, NVTX, LIKWID, or perf events"


def config(sp, **settings):
    sp.setup(**settings)
    found = sp.ProfileManager.get_config()
    sp.reset()
    return found


def test_the_defaults_are_those_of_the_contract(sp):
    found = sp.ProfileManager.get_config()
    assert {
        name: getattr(found, name)
        for name in (
            "file_path label deactivate_profiling deactivate_file_output track_threads "
            "track_async aggregation_mode output_mode buffer_limit hdf5_compression "
            "hdf5_compression_level hdf5_chunk_size capture_region_source metadata_detail "
            "recursive_profile enable_tags profile_mpi_calls use_line_profiler use_likwid "
            "use_nvtx use_gpu_timing gpu_timing_backend gpu_sync_on_exit perf_events use_memray "
            "memory_profile_path tracker comm paused"
        ).split()
    } == {
        "file_path": "profiling_data.h5", "label": None, "deactivate_profiling": False,
        "deactivate_file_output": False, "track_threads": False, "track_async": False,
        "aggregation_mode": False, "output_mode": "auto", "buffer_limit": 1024,
        "hdf5_compression": None, "hdf5_compression_level": None, "hdf5_chunk_size": None,
        "capture_region_source": False, "metadata_detail": "minimal", "recursive_profile": False,
        "enable_tags": (), "profile_mpi_calls": False, "use_line_profiler": False,
        "use_likwid": False, "use_nvtx": False, "use_gpu_timing": False,
        "gpu_timing_backend": "auto", "gpu_sync_on_exit": False, "perf_events": (),
        "use_memray": False, "memory_profile_path": None, "tracker": None, "comm": None,
        "paused": False,
    }  # fmt: skip


@pytest.mark.parametrize("settings, words", [
    ({"output_mode": "zz"}, "output_mode must be 'auto', 'direct', 'parallel', or 'per_rank', got 'zz'"),
    ({"metadata_detail": "x"}, "metadata_detail must be one of"),
    ({"hdf5_compression": "zz"}, "hdf5_compression must be None, 'auto', 'gzip', 'lzf', or 'zstd'"),
    ({"hdf5_compression": 5}, "hdf5_compression must be None"),
    ({"hdf5_compression": "gzip", "hdf5_compression_level": 11}, "between 0 and 9"),
    ({"hdf5_compression": "zstd", "hdf5_compression_level": 0}, "between 1 and 22"),
    ({"hdf5_compression": "lzf", "hdf5_compression_level": 1}, "does not accept a compression"),
    ({"hdf5_compression": "gzip", "hdf5_compression_level": True}, "must be an integer or None"),
    ({"hdf5_chunk_size": 0}, "hdf5_chunk_size must be a positive integer or None"),
    ({"hdf5_chunk_size": True}, "hdf5_chunk_size must be a positive integer or None"),
    ({"gpu_sync_on_exit": True}, "gpu_sync_on_exit requires use_gpu_timing=True"),
    ({"buffer_limit": "a"}, "buffer_limit must be an integer"),
    ({"aggregation_mode": "x"}, "aggregation_mode must be False, True or 'per_lane'"),
    ({"perf_events": []}, "perf_events must be a non-empty list of event names"),
    ({"perf_events": "foo"}, r"Unknown perf event\(s\): foo"),
    ({"perf_events": ["cycles", "cycles"]}, "perf_events must contain unique, non-empty"),
    ({"track_threads": True, "use_line_profiler": True}, LANES),
    ({"track_async": True, "use_gpu_timing": True}, LANES),
    ({"track_threads": True, "use_nvtx": True}, LANES),
    ({"track_threads": True, "use_likwid": True}, LANES),
    ({"track_threads": True, "perf_events": "cycles"}, LANES),
    ({"track_threads": True, "aggregation_mode": True}, LANES),
    ({"aggregation_mode": True, "use_line_profiler": True}, SUMS),
    ({"aggregation_mode": True, "use_gpu_timing": True}, SUMS),
    ({"aggregation_mode": True, "perf_events": "cycles"}, SUMS),
])  # fmt: skip
def test_a_value_that_cannot_be_is_a_value_error_and_sets_nothing_up(sp, settings, words):
    with pytest.raises(ValueError, match=words):
        sp.setup(output=None, **settings)
    assert not sp.is_configured() and not sp.is_active()


@pytest.mark.parametrize("settings, words", [
    ({"foo": 1}, r"Unknown profiling setting\(s\): 'foo'"),
    ({"file_pat": "x"}, r"'file_pat' \(did you mean 'file_path'\?\)"),
    ({"output": "x", "file_path": "y"}, "output cannot be combined with file_path"),
    ({"output": None, "deactivate_file_output": True}, "output cannot be combined with deactiv"),
    ({"output": 5}, "PathLike"),
    ({"options": 5}, "options is a ProfilingOptions"),
    ({"region_tags": 5}, "tags are a str or a sequence of str"),
    ({"enable_tags": [5]}, "a tag is a str"),
])  # fmt: skip
def test_what_is_not_a_setting_is_a_type_error(sp, settings, words):
    with pytest.raises(TypeError, match=words):
        sp.setup(**settings)
    assert not sp.is_configured()


@pytest.mark.parametrize("settings, words", [
    ({"use_line_profiler": True}, "line profiling"),
    ({"use_gpu_timing": True}, "GPU timing"),
    ({"use_nvtx": True}, "NVTX"),
    ({"use_likwid": True}, "LIKWID"),
    ({"use_memray": True}, "memray"),
    ({"perf_events": "cycles"}, "perf events"),
])  # fmt: skip
def test_a_mode_of_another_version_is_named(sp, settings, words):
    with pytest.raises(NotImplementedError, match=words):
        sp.setup(output=None, **settings)
    assert not sp.is_configured()


def test_values_are_normalised(sp):
    found = config(sp, output=None, hdf5_compression=" GZip ", track_async=1, enable_tags="a")
    assert found.hdf5_compression == "gzip" and found.track_threads and found.track_async
    assert found.enable_tags == ("a",)
    assert config(sp, output=None, hdf5_compression="none").hdf5_compression is None
    assert config(sp, output=None, file_path=None).file_path == "profiling_data.h5"
    with_lanes = config(sp, output=None, aggregation_mode="per_lane", track_threads=True)
    assert with_lanes.aggregation_mode == "per_lane"


def test_keywords_beat_options_beat_toml_beat_defaults(sp, tmp_path):
    (tmp_path / "c.toml").write_text(
        '[profiling]\nfile_path="toml.h5"\nlabel="toml"\nbuffer_limit=3\n'
        '[profiling.hdf5]\ncompression="gzip"\n'
    )
    options = sp.ProfilingOptions(file_path="options.h5", label="options")
    found = config(sp, options=options, config_path="c.toml", label="keyword")
    assert (found.file_path, found.label, found.buffer_limit, found.hdf5_compression) == (
        "options.h5", "keyword", 3, "gzip")  # fmt: skip
    assert config(sp, options=options, output="output.h5").file_path == "output.h5"
    assert config(sp, options=options, label=None).label == "options"
    silent = sp.ProfilingOptions(deactivate_file_output=True)
    assert not config(sp, options=silent, output="output.h5").deactivate_file_output


def test_options_have_the_settings_as_parameters(sp):
    import inspect

    from scope_profiler.options import DEFAULTS

    parameters = inspect.signature(sp.ProfilingOptions).parameters
    assert set(parameters) == set(DEFAULTS) | {"memray", "gpu", "hdf5"}
    assert list(parameters)[:3] == ["file_path", "label", "use_likwid"]
    assert all(parameter.default is None for parameter in parameters.values())


def test_options_are_plain_values(sp):
    options = sp.ProfilingOptions("a.h5", hdf5=sp.HDF5Options("gzip", chunk_size=7))
    assert options.to_kwargs() == {
        "file_path": "a.h5", "hdf5_compression": "gzip", "hdf5_chunk_size": 7}  # fmt: skip
    assert options == copy.deepcopy(options) == pickle.loads(pickle.dumps(options))
    assert options != sp.ProfilingOptions("a.h5")
    assert repr(sp.HDF5Options()) == "HDF5Options(compression=None, compression_level=None, " \
                                     "chunk_size=None)"  # fmt: skip
    options.track_threads = True
    assert options.to_kwargs()["track_threads"] is True
    groups = sp.ProfilingOptions(
        memray=sp.MemrayOptions(True, "m.bin"), gpu=sp.GPUOptions(timing=True, nvtx=False)
    )
    assert groups.to_kwargs() == {"use_memray": True, "memory_profile_path": "m.bin",
                                  "use_gpu_timing": True, "use_nvtx": False}  # fmt: skip
    with pytest.raises(ValueError, match="'use_gpu_timing' is set both directly and on the 'gpu'"):
        sp.ProfilingOptions(use_gpu_timing=True, gpu=sp.GPUOptions(timing=True)).to_kwargs()
    with pytest.raises(TypeError, match="'labell'"):
        sp.ProfilingOptions(labell="x")
    with pytest.raises(TypeError):
        sp.ProfilingOptions("a", file_path="a")
    with pytest.raises(TypeError, match="HDF5Options, not dict"):
        sp.ProfilingOptions(hdf5={"compression": "gzip"}).to_kwargs()


@pytest.mark.parametrize("text, words", [
    ('[profiling]\nlabell="x"', r"did you mean 'label'"),
    ("[profiling", "Invalid profiling TOML"),
    ('[profiling]\nhdf5_compression="lzf"\n[profiling.hdf5]\ncompression="gzip"', "set both"),
    ("profiling=3", "must be a TOML table"),
    ("[profiling.hdf5]\nbogus=1", r"Unknown \[hdf5\] profiling setting\(s\): bogus"),
    ("[profiling]\nhdf5=3", "'hdf5' must be a TOML table"),
    ("[tool.x]\na=1", r"Unknown profiling setting\(s\): 'tool'"),
])  # fmt: skip
def test_a_bad_configuration_file_says_what_and_where(sp, tmp_path, text, words):
    from scope_profiler.profile_config import load_profiling_config

    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(ValueError, match=words) as caught:
        load_profiling_config("c.toml")
    assert "c.toml" in str(caught.value)
    with pytest.raises(ValueError, match="Could not read profiling config 'nope.toml'"):
        load_profiling_config("nope.toml")


def test_a_top_level_table_will_do(sp, tmp_path):
    from scope_profiler.profile_config import load_profiling_config

    (tmp_path / "c.toml").write_text('label="x"\n[gpu]\nbackend="torch"\n')
    assert load_profiling_config("c.toml") == {"label": "x", "gpu_timing_backend": "torch"}


def test_the_environment_sets_up_only_when_asked(sp, tmp_path, monkeypatch):
    (tmp_path / "c.toml").write_text('label="from file"\n')
    for name, value in (("CONFIG", "c.toml"), ("OUTPUT", "env.h5"), ("RECURSIVE", "yes"),
                        ("AUTO_FINALIZE", "0")):  # fmt: skip
        monkeypatch.setenv(f"SCOPE_PROFILER_{name}", value)
    assert config(sp, output=None).label is None
    run = sp.setup_from_env()
    found = sp.ProfileManager.get_config()
    assert (run.file_path, found.label, found.recursive_profile) == ("env.h5", "from file", True)
    sp.reset()
    sp.setup_from_env(label="mine", output=None)
    found = sp.ProfileManager.get_config()
    assert (found.label, found.deactivate_file_output) == ("mine", True)


def test_minimal_metadata_keeps_the_environment_to_itself(sp, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    monkeypatch.setenv("LOADEDMODULES", "gcc:mpi")
    monkeypatch.setenv("OMP_NUM_THREADS", "7,2")
    minimal = config(sp, output=None, label="").metadata
    assert sorted(minimal) == sorted(
        "timestamp platform chip_information python_version scope_profiler_version "
        "omp_num_threads mpi_size total_cores num_nodes start_time_ns".split()
    )
    assert minimal["omp_num_threads"] == minimal["total_cores"] == 7
    assert minimal["timestamp"].endswith("+00:00")
    monkeypatch.setenv("PATH", "x" * 60_001)
    full = config(sp, output=None, label="mine", metadata_detail="full").metadata
    assert full["SLURM_JOB_ID"] == "17" and full["modules"] == ["gcc", "mpi"]
    assert {"hostname", "uname", "working_directory", "user"} < set(full)
    assert full["PATH"] == "x" * 60_000 + "...[truncated]" and full["label"] == "mine"


@pytest.mark.parametrize("detail", ["minimal", "full"])
def test_metadata_is_that_of_platform_and_starts_no_program(sp, monkeypatch, detail):
    import os
    import platform
    import subprocess

    def started(*args, **settings):
        raise AssertionError(f"a program was started: {args}")

    with monkeypatch.context() as patched:
        for module, name in ((subprocess, "check_output"), (subprocess, "Popen"), (os, "fork"),
                             (platform, "platform"), (platform, "uname")):  # fmt: skip
            patched.setattr(module, name, started)
        found = config(sp, output=None, metadata_detail=detail).metadata
    assert found["platform"] == platform.platform()
    assert found["python_version"] == platform.python_version()
    assert detail == "minimal" or found["uname"] == " ".join(platform.uname()[:5])


@pytest.mark.parametrize("value, wanted", [("1", True), ("on", True), ("no", False), ("0", False)])
def test_one_variable_forces_mpi_on_or_off(sp, monkeypatch, value, wanted):
    from scope_profiler import mpi_launch

    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "0")
    assert mpi_launch.launched_under_mpi() and mpi_launch.forced() is None
    monkeypatch.setenv("SCOPE_PROFILER_MPI", value)
    assert mpi_launch.forced() is wanted


def test_without_a_toml_reader_the_error_names_the_package(sp, tmp_path, monkeypatch):
    import sys

    (tmp_path / "c.toml").write_text('label="x"\n')
    monkeypatch.setitem(sys.modules, "tomllib", None)
    monkeypatch.setitem(sys.modules, "tomli", None)
    with pytest.raises(ValueError, match="needs the package tomli: pip install tomli"):
        sp.setup(config_path="c.toml")
    assert not sp.is_configured()
