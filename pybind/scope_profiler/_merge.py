"""Several result sets as one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .mpi_region import MPIRegion
    from .results import ProfilingResults


def merge_results(
    *result_sets: ProfilingResults, label: str | None = None, file_path: Any = None
) -> ProfilingResults:
    """The regions of several result sets in one; of metadata the earlier set's counts.

    Sets of ranks other than 0 are left out. Threads and tasks are dropped. ValueError: no
    set, or a region name in two sets.
    """
    from .results import ProfilingResults

    if not result_sets:
        raise ValueError("merge_results() was given no results")
    used = [results for results in result_sets if results.is_root] or list(result_sets[:1])
    regions: dict[str, MPIRegion] = {}
    metadata: dict[str, Any] = {}
    taken: set[int] = set()
    renumber = False
    for results in used:
        for region in results:
            if region.name in regions:
                raise ValueError(
                    f"region {region.name!r} is in two of the results: its calls would be "
                    "counted twice. Give one of them another name"
                )
            regions[region.name] = region._twin()
        ranks = {rank for region in results for rank in region if region[rank].num_calls}
        renumber = renumber or bool(taken & ranks)
        taken |= ranks
        metadata = {**results.metadata, **metadata}
    if renumber:  # ids of two recordings of one rank: neither says what called what
        for region in regions.values():
            for rank in region:
                region[rank]._forget_ids()
    if label is not None:
        metadata["label"] = label
    return ProfilingResults(
        regions,
        metadata,
        num_ranks=max(results.num_ranks for results in used),
        file_path=used[0]._file_path if file_path is None else file_path,
        is_root=any(results.is_root for results in used),
        event_data_available=all(results.has_event_data for results in used),
    )
