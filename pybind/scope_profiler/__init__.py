"""Named regions of Python programs, per rank, thread and task, in one HDF5 file.

    import scope_profiler as sp

    with sp.session(output="run.h5"):
        with sp.region("solve"):
            ...

Nothing is imported before it is used.
"""

from __future__ import annotations

import sys

from . import _record
from . import metadata as _metadata, region as _region_module  # before the calls of these names
from .manager import ProfileManager, ProfilingRun, RegionFactory, RegionHandle

__version__ = _record.VERSION
_CALLS = (
    "session setup finalize region profile reset is_active is_configured last_results "
    "registered_regions recorded_regions define_region region_factory metadata instrument "
    "profile_command profile_script run setup_from_env register_opt_in_tag"
).split()
_MODULES = {
    "options": "GPUOptions HDF5Options MemrayOptions ProfilingOptions",
    "results": "ProfilingResults merge_results",
    "mpi_region": "MPIRegion",
    "region": "Region",
    "call_stack": "CallArrays build_call_arrays build_call_stack call_stack_children "
    "call_stack_roots",
    "errors": "CorruptProfileError EventDataUnavailableError JSONProfileError NestingError",
    "h5reader": "read_h5 read_h5_summary",
    "profile_io": "load read_profile sniff_profile_format write_profile",
    "json_export": "export_json read_json write_json",
    "speedscope_export": "export_speedscope",
    "chrome_trace_export": "export_chrome_trace",
    "prof_export": "export_prof load_prof to_pstats",
    "mpi_wrappers": "MPIRegionMetadata ProfiledMPIComm ProfiledMPIRequest format_mpi_region "
    "message_nbytes parse_mpi_region profile_mpi4py profile_mpi_comm",
    "inspection": "collect_file_metadata collect_region_statistics inspect_file "
    "write_region_statistics_json",
    "_later": "LikwidRegionResult PerfEventError PerfEventTotals collect_roofline_points "
    "create_html_report export_flamegraph_svg plot_duration_timeseries plot_durations "
    "plot_flame plot_flame_chart plot_flame_graph plot_gantt plot_perf_events "
    "plot_rank_heatmap plot_roofline plot_scaling_efficiency plot_speedup plot_weak_scaling "
    "plot_weak_scaling_efficiency",
}
_NAMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted([*_CALLS, *_NAMES, "ProfileManager", "ProfilingRun", "RegionFactory",
                  "RegionHandle"])  # fmt: skip

for _name in _CALLS:
    globals()[_name] = getattr(ProfileManager, _name)
del _name, _metadata, _region_module


def __getattr__(name: str) -> object:
    module = _NAMES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = f"{__name__}.{module}"
    __import__(module)
    globals()[name] = getattr(sys.modules[module], name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
