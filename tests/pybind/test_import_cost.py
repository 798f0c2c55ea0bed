"""Importing the package costs nothing, and gives every name that the contract lists.

SPDX-License-Identifier: MIT
"""
import subprocess
import sys

import pytest

HEAVY = (
    "dataclasses inspect typing pathlib enum numpy asyncio h5py json tomllib tomli re functools "
    "concurrent.futures threading contextlib collections.abc logging importlib.metadata mpi4py "
    "greenlet pandas subprocess ctypes scope_profiler._read scope_profiler.results"
).split()
NAMES = """
session setup finalize region profile reset is_active is_configured last_results
registered_regions recorded_regions define_region region_factory metadata instrument
profile_command profile_script run setup_from_env register_opt_in_tag
ProfileManager ProfilingRun RegionHandle RegionFactory ProfilingOptions ProfilingResults MPIRegion
Region CallArrays GPUOptions HDF5Options MemrayOptions LikwidRegionResult PerfEventTotals
MPIRegionMetadata ProfiledMPIComm ProfiledMPIRequest
build_call_arrays build_call_stack call_stack_children call_stack_roots read_h5 read_h5_summary
load read_profile write_profile sniff_profile_format read_json write_json export_json
merge_results export_speedscope export_chrome_trace export_prof load_prof to_pstats
export_flamegraph_svg create_html_report inspect_file collect_file_metadata
collect_region_statistics write_region_statistics_json collect_roofline_points format_mpi_region
parse_mpi_region message_nbytes profile_mpi_comm profile_mpi4py
plot_duration_timeseries plot_durations plot_flame plot_flame_chart plot_flame_graph plot_gantt
plot_perf_events plot_rank_heatmap plot_roofline plot_scaling_efficiency plot_speedup
plot_weak_scaling plot_weak_scaling_efficiency
NestingError CorruptProfileError EventDataUnavailableError JSONProfileError PerfEventError
""".split()
MODULES = """
call_stack concurrency summary prof_export profile_io region mpi_wrappers h5schema profile_config
mpi_region speedscope_export json_export results mpi_launch metadata h5reader post_processing
chrome_trace_export __main__ native_trace errors options manager profile_manager
""".split()


def python(code, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments, "-c", code], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_brings_in_nothing_that_is_not_there_already():
    code = "import sys; before = set(sys.modules); import scope_profiler; " \
           "print(*sorted(set(sys.modules) - before))"  # fmt: skip
    loaded = python(code)
    assert not set(loaded) & set(HEAVY)
    assert all(name.startswith("scope_profiler") or name == "__future__" for name in loaded)


def test_a_region_before_setup_brings_in_nothing_either():
    code = "import sys; before = set(sys.modules); import scope_profiler as sp\n" \
           "with sp.region('a'): pass\n" \
           "print(*sorted(set(sys.modules) - before))"  # fmt: skip
    assert not set(python(code)) & set(HEAVY) - {"threading"}


def test_every_name_is_there(sp):
    assert set(sp.__all__) == set(NAMES)
    missing = []
    for name in NAMES:
        try:
            getattr(sp, name)
        except (AttributeError, ImportError) as error:
            missing.append(f"{name}: {error}")
    assert not missing
    assert set(NAMES) <= set(dir(sp)) and isinstance(sp.__version__, str)
    with pytest.raises(AttributeError, match="no attribute 'surely_not'"):
        sp.surely_not


def test_every_module_can_be_imported_and_hides_no_call():
    code = f"import importlib, scope_profiler as sp\nregion, metadata = sp.region, sp.metadata\n" \
           f"for name in {MODULES!r}:\n" \
           "    importlib.import_module('scope_profiler.' + name)\n" \
           "assert sp.region is region and sp.metadata is metadata\n" \
           "from scope_profiler.region import Region\n" \
           "from scope_profiler.metadata import collect_metadata\n" \
           "assert sp.Region is Region\n"  # fmt: skip
    python(code)


def test_what_belongs_to_another_mode_says_so_when_used(sp):
    for name in ("plot_gantt", "create_html_report", "export_flamegraph_svg", "PerfEventTotals",
                 "LikwidRegionResult", "collect_roofline_points"):  # fmt: skip
        with pytest.raises(NotImplementedError, match=name):
            getattr(sp, name)()
    assert issubclass(sp.PerfEventError, RuntimeError)
