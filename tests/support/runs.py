"""Runs of a test: quiet, without a file, and what they counted.

SPDX-License-Identifier: MIT
"""
QUIET = {"output": None, "verbose": False, "return_results": True}


def counts(results):
    return {name: results[name].num_calls for name in results.region_names}
