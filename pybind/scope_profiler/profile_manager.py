"""`manager` under the name that scope-profiler 0.7 has for it."""

from __future__ import annotations

from .manager import ProfileManager, ProfilingRun, RegionFactory, RegionHandle
from .profile_config import ProfilingConfig, ProfilingOptions

__all__ = [
    "ProfileManager", "ProfilingConfig", "ProfilingOptions", "ProfilingRun", "RegionFactory",
    "RegionHandle",
]  # fmt: skip
