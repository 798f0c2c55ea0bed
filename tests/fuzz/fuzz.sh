#!/bin/sh
# fuzz.sh - let one fuzzer run for SCOPE_TEST_FUZZ_SECONDS (20) from its corpus; new inputs are
# thrown away. An input that breaks something stays in the current folder, under a name that
# libFuzzer prints.
#
#     fuzz.sh FUZZER CORPUS [OPTION OF LIBFUZZER...]
#
# SPDX-License-Identifier: MIT
set -eu
fuzzer=$1
corpus=$2
shift 2
found=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
mkdir "$found/inputs" "$found/work"
trap 'rm -rf "$found"' EXIT
TMPDIR=$found/work "$fuzzer" "$found/inputs" "$corpus" -max_total_time="${SCOPE_TEST_FUZZ_SECONDS:-20}" -timeout=100 \
    -rss_limit_mb=1024 -malloc_limit_mb=512 -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$(basename "$fuzzer")-" "$@"
