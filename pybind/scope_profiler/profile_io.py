"""Profiles of any format: found out by what is in the file, or by its name."""

from __future__ import annotations

import os

from ._files import HTML_SUFFIXES, is_json_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from .results import ProfilingResults

__all__ = [
    "FORMAT_HDF5",
    "FORMAT_HTML",
    "FORMAT_JSON",
    "HTML_SUFFIXES",
    "is_json_path",
    "load",
    "profile_format",
    "read_profile",
    "read_profile_summary",
    "sniff_profile_format",
    "write_profile",
]

FORMAT_HDF5, FORMAT_JSON, FORMAT_HTML = "hdf5", "json", "html"


def profile_format(path: str | Path) -> str:
    """ "hdf5", "json" or "html", by the name alone."""
    name = os.fspath(path)
    if is_json_path(name):
        return FORMAT_JSON
    return FORMAT_HTML if name.lower().endswith(HTML_SUFFIXES) else FORMAT_HDF5


def sniff_profile_format(path: str | Path) -> str:
    """ "hdf5", "json" (gzip or not) or "html", by the content; "hdf5" for anything else."""
    with open(path, "rb") as file:
        start = file.read(512)
    if start.startswith(b"\x1f\x8b"):
        return FORMAT_JSON
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"{", b"[")):
        return FORMAT_JSON
    return FORMAT_HTML if start.startswith(b"<") else FORMAT_HDF5


def load(path: str | Path, verbose: bool = False) -> ProfilingResults:
    """The results in a file of any format, whatever its name.

    FileNotFoundError; ValueError: an HTML report, which cannot be read back; else what
    read_h5() and read_json() raise.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no profile {os.fspath(path)}")
    format = sniff_profile_format(path)
    if format == FORMAT_HTML:
        raise ValueError(
            f"{os.fspath(path)} is an HTML report: it shows a run, but does not store it. Read "
            "the .h5 or .json file that it was made from"
        )
    return _read(path, format, verbose)


def read_profile(file_path: str | Path, verbose: bool = False) -> ProfilingResults:
    """The results in a file of the format that its name says: JSON, else HDF5.

    Raises as read_json() and read_h5().
    """
    return _read(file_path, profile_format(file_path), verbose)


def read_profile_summary(file_path: str | Path, **kwargs: Any) -> ProfilingResults:
    """read_h5_summary() of an HDF5 file; JSON is read whole."""
    if profile_format(file_path) != FORMAT_HDF5:
        return read_profile(file_path)
    from .h5reader import read_h5_summary

    return read_h5_summary(file_path, **kwargs)


def _read(path: str | Path, format: str, verbose: bool) -> ProfilingResults:
    if format == FORMAT_JSON:
        from .json_export import read_json

        return read_json(path, verbose=verbose)
    from .h5reader import read_h5

    return read_h5(path, verbose=verbose)


def write_profile(results: ProfilingResults, file_path: str | Path, **kwargs: Any) -> Path:
    """Write the results in the format of the name: .json, .json.gz, else HDF5.

    JSON takes `indent`; HDF5 takes `compression` ("gzip", "auto", "lzf", "zstd"), `level`
    and `chunk_size`. The file appears whole or not at all. FileNotFoundError: HDF5 into a
    folder that does not exist.
    """
    from pathlib import Path

    format = profile_format(file_path)
    if format == FORMAT_HTML:
        raise NotImplementedError("HTML reports are not part of this version of scope-profiler")
    if format == FORMAT_JSON:
        from .json_export import write_json

        return write_json(results, file_path, **kwargs)
    write_table(results._table(), os.fspath(file_path), **kwargs)
    return Path(file_path)


def write_table(
    table: Any, path: str, *, compression: str | None = None, level: int = 0, chunk_size: int = 0
) -> None:
    """_read.write_file with Python's exceptions; 0: as the writer chooses."""
    from . import _read
    from ._files import ERR_ARGUMENT, plain_error

    most = {"gzip": 9, "zstd": 22}.get(compression or "", 0)
    if not 0 <= level <= most:
        raise ValueError(f"level {level} is not one of compression {compression!r}")
    if chunk_size < 0:
        raise ValueError(f"chunk_size {chunk_size} is not a number of calls")
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder} to write {os.path.basename(path)} in")
    try:
        _read.write_file(path, table, compression=compression, level=level, chunk_size=chunk_size)
    except _read.FileError as error:
        if error.status == ERR_ARGUMENT:
            raise ValueError(str(error)) from None
        raise plain_error(error, path) from None
