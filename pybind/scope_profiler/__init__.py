"""Named regions of Python programs, per rank, thread and task, in one HDF5 file."""
